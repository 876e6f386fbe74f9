import { hashComponents } from '@fingerprintjs/fingerprintjs';
import { useEffect, useState } from 'react';
import { type FingerprintFields, recordFingerprint } from '#contract/access.ts';
import { call, isApiError } from '#web/client/call.ts';

/**
 * The device fingerprint: browser properties sent at registration, to detect several accounts of one person. It is
 * evidence for operators and never decides alone. Its hash is stored in this browser.
 */

const STORAGE_KEY = 'deviceFingerprint';

export type Fingerprint = { hash: string; encoded: string };

const hashOf = (text: string) => hashComponents({ text: { value: text, duration: 0 } });

/** Hash of a rendered canvas. The image itself would be kilobytes. */
function canvasHash(): string {
  const canvas = document.createElement('canvas');
  canvas.width = 240;
  canvas.height = 60;
  const context = canvas.getContext('2d');
  if (context === null) return '';
  context.textBaseline = 'alphabetic';
  context.fillStyle = 'darkorange';
  context.fillRect(100, 1, 62, 20);
  context.fillStyle = 'teal';
  context.font = '15px Arial';
  context.fillText('Cwm fjordbank 가나다 1,234', 2, 18);
  context.fillStyle = 'olive';
  context.font = '18px Georgia';
  context.fillText('Cwm fjordbank 가나다 1,234', 4, 45);
  return hashOf(canvas.toDataURL());
}

/** Vendor and renderer of the graphics card, if the browser reveals them. */
function readGraphics(): string {
  const gl = document.createElement('canvas').getContext('webgl');
  if (gl === null) return '';
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  const vendor = gl.getParameter(names?.UNMASKED_VENDOR_WEBGL ?? gl.VENDOR);
  const renderer = gl.getParameter(names?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER);
  return `${vendor} ${renderer}`.slice(0, 1000);
}

function readFields(): FingerprintFields {
  return {
    userAgent: navigator.userAgent.slice(0, 1000),
    screenResolution: `${screen.width}x${screen.height}x${screen.colorDepth}`,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    language: navigator.language,
    platform: navigator.platform,
    plugins: [...navigator.plugins].map((plugin) => plugin.name.slice(0, 200)).slice(0, 100),
    canvas: canvasHash(),
    webgl: readGraphics(),
  };
}

/** Base64 of the JSON in UTF-8. */
function encode(fields: FingerprintFields): string {
  const bytes = new TextEncoder().encode(JSON.stringify(fields));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

let sent: Fingerprint | null = null;

/** Reads the fingerprint, stores its hash here and sends it to the server, once per page. */
function sendFingerprint(): Fingerprint {
  if (sent !== null) return sent;
  const fields = readFields();
  const hash = hashOf(JSON.stringify(fields));
  localStorage.setItem(STORAGE_KEY, hash);
  sent = { hash, encoded: encode(fields) };
  call(recordFingerprint, { body: fields }).catch((error: unknown) => {
    // The record only helps the search for fraud, so its failure must not stop a registration.
    if (!isApiError(error)) throw error;
  });
  return sent;
}

/** The device fingerprint: null until it is read, `failed` if the browser throws. */
export function useFingerprint(): Fingerprint | 'failed' | null {
  const [fingerprint, setFingerprint] = useState<Fingerprint | 'failed' | null>(null);
  useEffect(() => {
    try {
      setFingerprint(sendFingerprint());
    } catch (error) {
      console.warn('This browser tells nothing about its device.', error);
      setFingerprint('failed');
    }
  }, []);
  return fingerprint;
}

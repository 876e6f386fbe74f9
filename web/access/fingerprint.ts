import { hashComponents } from '@fingerprintjs/fingerprintjs';
import { useEffect, useState } from 'react';
import { type FingerprintFields, recordFingerprint } from '#contract/access.ts';
import { call, isApiError } from '#web/client/call.ts';

/**
 * What a browser tells about itself, asked for at registration so that one person opens one account. It is evidence for
 * an operator and never decides alone. Its hash is kept on this device.
 */

const STORAGE_KEY = 'deviceFingerprint';

export type Fingerprint = { hash: string; encoded: string };

const hashOf = (text: string) => hashComponents({ text: { value: text, duration: 0 } });

/** How this machine draws a line of text, as a hash: the drawing itself would be kilobytes. */
function canvasMark(): string {
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

/** Who makes the graphics here, where the browser says it. */
function webglMark(): string {
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
    canvas: canvasMark(),
    webgl: webglMark(),
  };
}

/** base64 of the JSON in UTF-8. */
function encode(fields: FingerprintFields): string {
  const bytes = new TextEncoder().encode(JSON.stringify(fields));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

let told: Fingerprint | null = null;

/** Reads the fingerprint of this device, keeps its hash here and tells it to the server, once per page. */
function tellDevice(): Fingerprint {
  if (told !== null) return told;
  const fields = readFields();
  const hash = hashOf(JSON.stringify(fields));
  localStorage.setItem(STORAGE_KEY, hash);
  told = { hash, encoded: encode(fields) };
  call(recordFingerprint, { body: fields }).catch((error: unknown) => {
    // The record helps those who look for fraud; a person who registers is not stopped by its outage.
    if (!isApiError(error)) throw error;
  });
  return told;
}

/** The fingerprint of this device, or null until it is ready; `failed` where the browser refuses to tell. */
export function useFingerprint(): Fingerprint | 'failed' | null {
  const [fingerprint, setFingerprint] = useState<Fingerprint | 'failed' | null>(null);
  useEffect(() => {
    try {
      setFingerprint(tellDevice());
    } catch (error) {
      console.warn('This browser tells nothing about its device.', error);
      setFingerprint('failed');
    }
  }, []);
  return fingerprint;
}

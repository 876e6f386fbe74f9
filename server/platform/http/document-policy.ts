import type { Config } from '../config.ts';
import { ownOrigins } from './same-origin.ts';

/**
 * The content security policy of documents. Inline style attributes are allowed, because the component library sets
 * them. A document made for one answer allows its inline script and style sheet by a nonce; a document that is kept and
 * sent often allows them by their hashes.
 */
export type DocumentNeeds = {
  /** Sources of inline scripts and style sheets: `'nonce-…'` or `'sha256-…'`. */
  scripts: readonly string[];
  styles: readonly string[];
  /** Origins that may be framed: the enabled providers' walls. */
  frames: readonly string[];
  /** Whether analytics run: the site has a measurement id and this reader agreed. */
  isMeasured: boolean;
};

const captchaOrigins = ['https://hcaptcha.com', 'https://*.hcaptcha.com'];
const analytics = {
  script: ['https://www.googletagmanager.com'],
  // The analytics script sends to a host of the reader's region.
  connect: [
    'https://www.googletagmanager.com',
    'https://*.google-analytics.com',
    'https://*.analytics.google.com',
  ],
  image: ['https://www.googletagmanager.com', 'https://*.google-analytics.com'],
};
const nothing: typeof analytics = { script: [], connect: [], image: [] };

function socketOrigins(config: Config): string[] {
  return ownOrigins(config).map((origin) => origin.replace(/^http/, 'ws'));
}

/** Makes the value of the header `Content-Security-Policy`. */
export function documentPolicy(config: Config, needs: DocumentNeeds): string {
  const captcha = config.mode === 'live' ? captchaOrigins : [];
  const measuring = needs.isMeasured ? analytics : nothing;
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...needs.scripts, ...captcha, ...measuring.script],
    'style-src': ["'self'", ...needs.styles, ...captcha],
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', ...measuring.image],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...socketOrigins(config), ...captcha, ...measuring.connect],
    'frame-src': [...new Set([...needs.frames, ...captcha])],
    'manifest-src': ["'self'"],
    'worker-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.length === 0 ? "'none'" : values.join(' ')}`)
    .join('; ');
}

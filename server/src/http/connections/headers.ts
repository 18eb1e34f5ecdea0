/** What browsers are told with every answer. Pages may do a little more than data; neither is framed. */
const EVERYWHERE: Readonly<Record<string, string>> = {
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  // For browsers that do not know `frame-ancestors`.
  'x-frame-options': 'DENY',
}

/** Answers of the API: nothing in them is to be run, shown or kept by a browser. */
export const API_HEADERS: Readonly<Record<string, string>> = {
  ...EVERYWHERE,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

const CONSOLE_POLICY: readonly string[] = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types rubicon',
]

/** Pages of the console and of the docs: their own files, and nothing from elsewhere. */
export const CONSOLE_HEADERS: Readonly<Record<string, string>> = {
  ...EVERYWHERE,
  'cache-control': 'no-cache',
  'content-security-policy': CONSOLE_POLICY.join('; '),
  'cross-origin-opener-policy': 'same-origin',
}

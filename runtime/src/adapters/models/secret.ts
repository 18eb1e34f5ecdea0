/** A key must not be seen again where it was sent: in what a provider, or whoever stands in front of it, says. */

const HIDDEN = '[key]'

export function hideSecret(text: string, secret: string): string {
  return listForms(secret).reduce((left, form) => left.replaceAll(form, HIDDEN), text)
}

export function hasSecret(text: string, secret: string): boolean {
  return listForms(secret).some((form) => text.includes(form))
}

/** As it is, in an address, in JSON, in base64 and in hexadecimal: how servers write what they were sent. */
function listForms(secret: string): readonly string[] {
  if (secret === '') return []
  const bytes = Buffer.from(secret, 'utf8')
  const forms = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ]
  // The longest first, so that none is left in halves.
  return [...new Set(forms)].sort((a, b) => b.length - a.length)
}

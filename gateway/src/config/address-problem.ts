const LOOPBACK: readonly string[] = ['127.0.0.1', '[::1]', 'localhost']

/** Why nothing is sent to an address, or null. Credentials and results do not travel in clear text to other machines. */
export function findAddressProblem(text: string): string | null {
  if (!URL.canParse(text)) return 'is no URL'
  const { protocol, hostname, username, password, hash } = new URL(text)
  if (username !== '' || password !== '') return 'has credentials in it: use `headers`'
  if (hash !== '') return 'has a fragment'
  if (protocol === 'https:') return null
  if (protocol !== 'http:') return 'is neither https nor http'
  return LOOPBACK.includes(hostname) ? null : 'is http, which is for this machine alone'
}

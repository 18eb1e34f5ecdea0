/** Where a provider is asked. What leaves this machine is encrypted, unless somebody said that it need not be. */

/** Without a slash at its end. `plainHttp`: a network of one's own, on which models are served without TLS. */
export function parseModelAddress(address: string, plainHttp: boolean): string {
  const url = URL.parse(address)
  if (url === null) throw new Error('the address of a model provider is no URL')
  if (url.username !== '' || url.password !== '')
    throw new Error('the address of a model provider holds a password: give a key instead')
  if (url.search !== '' || url.hash !== '')
    throw new Error('the address of a model provider ends with its path')
  const isPlain = url.protocol === 'http:' && (plainHttp || isLoopback(url.hostname))
  if (url.protocol !== 'https:' && !isPlain)
    throw new Error('a model provider beyond this machine needs https, or `plainHttp: true`')
  return url.href.endsWith('/') ? url.href.slice(0, -1) : url.href
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

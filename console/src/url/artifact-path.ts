/** The page of an artifact; `main` and what is empty are left out. */
export function toArtifactPath(
  name: string,
  members: Readonly<Record<string, string>> = {},
): string {
  const kept = Object.entries(members).filter(
    ([member, value]) => value !== '' && !(member === 'trajectory' && value === 'main'),
  )
  const query = new URLSearchParams(kept).toString()
  const place = name.split('/').map(encodeURIComponent).join('/')
  return `/artifacts${name === '' ? '' : `/${place}`}${query === '' ? '' : `?${query}`}`
}

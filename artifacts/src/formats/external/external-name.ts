/** What lies below an external root is somebody else's: it is read, and never written. */

const LOCK_FILES: readonly string[] = ['package-lock.json', 'npm-shrinkwrap.json']
const ROOT = 'node_modules'
const BUILTIN = 'node:'

/** Of an artifact, by its name: installed, built in, or the lock that says what is installed. */
export function isExternalName(name: string): boolean {
  const segments = name.split(/[\\/]/u)
  return (
    name.startsWith(BUILTIN) ||
    segments.some((segment) => segment.toLowerCase() === ROOT) ||
    LOCK_FILES.includes((segments.at(-1) ?? '').toLowerCase())
  )
}

/** The package that a specifier names: `@a/b/c` is of `@a/b`. Null: it names a file. */
export function toPackageName(specifier: string): string | null {
  if (/^(?:\.{0,2}\/|\.{1,2}$|#|[a-z]:[\\/])/iu.test(specifier)) return null
  if (specifier.startsWith(BUILTIN)) return specifier
  const [scope = '', name] = specifier.split('/')
  if (!scope.startsWith('@')) return scope === '' ? null : scope
  return name === undefined || name === '' ? null : `${scope}/${name}`
}

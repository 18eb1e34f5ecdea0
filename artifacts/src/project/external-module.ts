/** What a project refers to and does not hold: packages, and what the platform brings. They are roots, and nobody writes them. */
export type ExternalModule = {
  /** As `zod`, `@scope/name`, `node:fs`. */
  readonly name: string
  readonly version: string
  /** Of what was locked: another hash is another module. */
  readonly hash: string
}

/** Who names it, and how it is written there: two artifacts may have two versions of one package. */
export type ExternalMention = { readonly artifact: string; readonly from: string }

/** Port. By the name that stands before the path within it; null: nothing is locked under that name. */
export type FindExternal = (name: string, mention: ExternalMention) => ExternalModule | null

/** `@scope/name/sub/path` is `./sub/path` of `@scope/name`. */
export function splitSpecifier(specifier: string): {
  readonly name: string
  readonly subpath: string
} {
  const parts = specifier.split('/')
  const count = specifier.startsWith('@') ? 2 : 1
  const rest = parts.slice(count)
  return { name: parts.slice(0, count).join('/'), subpath: ['.', ...rest].join('/') }
}

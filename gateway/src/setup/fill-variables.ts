/**
 * `${…}` in the settings of a client, which the client would fill in. We start the servers in its place, and take the
 * values as they are now. What only the client knows, such as what it asks its user for, cannot be taken over.
 */
import { err, ok, type Result } from 'rubicon-kernel'

export type Variables = {
  readonly folder: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

const VARIABLE = /\$\{([^}]*)\}/g

/** Err: the variable that nobody here knows. */
export function fillVariables(text: string, variables: Variables): Result<string, string> {
  let unknown: string | undefined
  const filled = text.replaceAll(VARIABLE, (whole, name: string) => {
    const value = findVariable(name, variables)
    if (value === undefined) unknown ??= whole
    return value ?? whole
  })
  return unknown === undefined ? ok(filled) : err(unknown)
}

function findVariable(name: string, { folder, home, env }: Variables): string | undefined {
  if (name === 'workspaceFolder') return folder
  if (name === 'userHome') return home
  if (name === 'pathSeparator' || name === '/') return '/'
  if (name.startsWith('env:')) return env[name.slice('env:'.length)]
  // Claude Code writes the name alone, with a default behind `:-`.
  const [variable = '', fallback] = name.split(':-')
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(variable) ? (env[variable] ?? fallback) : undefined
}

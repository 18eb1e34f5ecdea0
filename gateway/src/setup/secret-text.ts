/**
 * Whether a text of a client's settings is a credential. It is better to keep a harmless text in a file of its own than
 * to leave a token where others read it: in doubt it is one.
 */
import { LIMITS } from 'rubicon-kernel'

export type SplitSecret = {
  readonly secret: string
  /** How it is sent, such as `Bearer {secret}`. */
  readonly format?: string
}

const NAMES =
  /(^|[_-])(key|token|secret|password|passwd|pwd|pat|auth|authorization|credentials?|cookie|session|dsn)($|[_-])|api_?key|token$|secret$|password$/i
const BEGINNINGS =
  /^(gh[a-z]_|github_pat_|sk-|pk-|xox[a-z]-|glpat-|AKIA|eyJ|ya29\.|npm_|hf_|rb[a-z]_)/
const WITH_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i
/** Long, of one piece, with letters and figures: nobody writes such a word by hand. */
const RANDOM = /^(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9_+/=-]{24,}$/
const SCHEME = /^(Basic|Bearer|Bot|Token) (?=\S+$)/i
/** Paths and flags are no random words, though they may be long. */
const PATH = /^(\/|\.{1,2}\/|~\/|[A-Za-z]:\\|@[a-z])/

/** Of a variable, a header or a flag that holds one, whatever it is. */
export function isSecretName(name: string): boolean {
  return NAMES.test(name)
}

export function isSecretText(name: string, value: string): boolean {
  if (value.length < LIMITS.secretShortest) return false
  if (BEGINNINGS.test(value) || WITH_PASSWORD.test(value)) return true
  if (PATH.test(value)) return false
  return isSecretName(name) || RANDOM.test(value)
}

/** The credential alone, and how it stands in what is sent. */
export function splitSecret(value: string): SplitSecret {
  const scheme = SCHEME.exec(value)?.[0]
  if (scheme === undefined || value.length - scheme.length < LIMITS.secretShortest)
    return { secret: value }
  return { secret: value.slice(scheme.length), format: `${scheme}{secret}` }
}

/** Arguments cannot be references: whoever reads the list of processes reads them too. */
export function isSecretArgument(argument: string): boolean {
  const [name = '', ...rest] = argument.split('=')
  const value = rest.join('=')
  if (rest.length > 0 && name.startsWith('-')) return isSecretText(name.replace(/^-+/, ''), value)
  return isSecretText('', argument)
}

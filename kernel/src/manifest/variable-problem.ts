/**
 * What is wrong with a variable that a manifest gives a program. Some variables make a program load other code, or
 * decide whom it asks and believes: what the operator allowed would be something else.
 */
import type { JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { hasOnly, VARIABLE_CHARACTERS } from './plain-text.ts'

/** With these a loader or an interpreter runs something else first. */
const LOADERS: readonly string[] = [
  ...['LD_', 'DYLD_', 'BASH_', 'GIT_', 'NODE_', 'NPM_', 'PYTHON', 'PERL', 'RUBY', 'JAVA_', '_JAVA'],
  ...['JDK_', 'LUA_', 'PHP', 'GCONV_', 'GLIBC_', 'MALLOC_', 'OPENSSL_', 'RUBICON_', 'SHELLOPTS'],
  ...['DOTNET_', 'CORECLR_', 'COR_', 'ERL_', 'RSYNC_', 'MAVEN_', 'GRADLE_', 'GTK_', 'QT_', 'XDG_'],
  // Whom the program believes on the network.
  ...['SSL_', 'CURL_', 'REQUESTS_'],
]
const LOADER_NAMES: readonly string[] = [
  ...['PATH', 'ENV', 'IFS', 'PS4', 'EDITOR', 'VISUAL', 'PAGER', 'HOME', 'BROWSER', 'LESSOPEN'],
  ...['CLASSPATH', 'TAR_OPTIONS', 'MAKEFLAGS', 'WGETRC', 'R_PROFILE'],
]
const PROXY = '_PROXY'

/** Undefined: a tool may set it. */
export function findVariableProblem(name: JsonValue | undefined): string | undefined {
  const isName =
    typeof name === 'string' &&
    name.length > 0 &&
    name.length <= LIMITS.identifierLength &&
    hasOnly(name, VARIABLE_CHARACTERS) &&
    !hasOnly(name.charAt(0), '0123456789')
  if (!isName) return 'is no name of a variable: capitals, digits and `_`'
  return isLoaderName(name) ? 'is not for a tool to set' : undefined
}

function isLoaderName(name: string): boolean {
  if (LOADER_NAMES.includes(name) || name.endsWith(PROXY)) return true
  return LOADERS.some((prefix) => name.startsWith(prefix))
}

/** The arguments and variables of a command. A parameter is one argument, and never an option. */
import {
  type CommandExecutor,
  err,
  isObject,
  LIMITS,
  ok,
  type Result,
  type SecretReference,
  toTemplateText,
} from 'rubicon-kernel'
import type { ManifestCall } from '../hands.ts'
import { readParam } from '../read-param.ts'

const VARIABLE = /^[A-Z_][A-Z0-9_]{0,127}$/
/** With these a loader or an interpreter runs something else first. */
const LOADERS =
  /^(LD_|DYLD_|BASH_|GIT_|NODE_|NPM_|PYTHON|PERL|RUBY|JAVA_|_JAVA|JDK_|LUA_|PHP|GCONV_|GLIBC_|MALLOC_|LOCPATH|NLSPATH|HOSTALIASES|RES_|OPENSSL_|SSLKEYLOGFILE|ENV$|IFS$|PS4$|SHELLOPTS|PATH$|EDITOR$|PAGER$|RUBICON_|HOME$|VISUAL$|BROWSER$|LESSOPEN$|CLASSPATH$|TAR_OPTIONS$|MAKEFLAGS$|WGETRC$|R_PROFILE$|DOTNET_|CORECLR_|COR_|ERL_|RSYNC_|MAVEN_|GRADLE_|GTK_|QT_|XDG_|SSL_|CURL_|REQUESTS_|[A-Z_]*_PROXY$)/

export type NamedVariables = Readonly<Record<string, string | SecretReference>>

/** All but the path of the program. */
export function buildArguments(
  { argv }: Pick<CommandExecutor, 'argv'>,
  { params }: Pick<ManifestCall, 'params'>,
): Result<readonly string[], string> {
  const texts: string[] = []
  let areOptionsOver = false
  for (const part of argv.slice(1)) {
    const value = typeof part === 'string' ? part : readParam(params, part.param)
    const text = value === undefined ? undefined : toTemplateText(value)
    const name = typeof part === 'string' ? part : part.param
    if (text === undefined || text.includes('\0') || !text.isWellFormed())
      return err(`\`${name}\` is no text that an argument can hold`)
    if (typeof part !== 'string' && text.startsWith('-') && !areOptionsOver)
      return err(`the parameter \`${name}\` begins with \`-\` and would be an option`)
    areOptionsOver ||= part === '--'
    texts.push(text)
  }
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  return length > LIMITS.commandArgumentsLength ? err('the arguments are too long') : ok(texts)
}

export function findVariableProblem(variables: NamedVariables): string | null {
  for (const [name, value] of Object.entries(variables)) {
    if (!VARIABLE.test(name)) return `\`${name}\` is no name of a variable`
    if (LOADERS.test(name)) return `the variable \`${name}\` is not for a tool to set`
    const text = isObject(value) ? (value.format ?? '') : value
    if (typeof text !== 'string' || text.includes('\0') || !text.isWellFormed())
      return `the variable \`${name}\` holds no text`
  }
  return null
}

import { isDeceiving } from 'rubicon-kernel'
import { MCP_LIMITS } from '../mcp-limits.ts'

/**
 * Why nothing is read at a URI, or null. A contract bounds it as a text: one that its server would take for another
 * place than the text says (`/notes/../secrets`, and the same in other spellings) is not sent.
 */
export function findUriProblem(uri: string): string | null {
  if (uri.length > MCP_LIMITS.uriLength) return `has more than ${MCP_LIMITS.uriLength} characters`
  if (!URL.canParse(uri)) return 'is no URI'
  if ([...uri].some((one) => one <= ' ' || isDeceiving(one.codePointAt(0) ?? 0)))
    return 'has characters that nobody sees'
  const place = decodeDots(uri)
  if (place.includes('\\')) return 'has a backslash'
  const isUpward = place.split(/[/?#]/).some((segment) => segment === '..' || segment === '.')
  return isUpward ? 'has segments that lead elsewhere (`.` or `..`)' : null
}

/** Once is not enough: some servers decode again. */
function decodeDots(uri: string): string {
  let text = uri
  for (let before = ''; before !== text; ) {
    before = text
    text = text
      .replaceAll(/%25/g, '%')
      .replaceAll(/%2e/gi, '.')
      .replaceAll(/%2f/gi, '/')
      .replaceAll(/%5c/gi, '\\')
  }
  return text
}

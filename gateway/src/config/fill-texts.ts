import { formatSecret, isObject } from 'rubicon-kernel'
import { openSecretSource } from 'rubicon-runtime/tools'
import type { ServerConfig } from '../upstream/server-config.ts'
import type { FilledTexts } from '../upstream/upstream.ts'
import type { McpConfig } from './mcp-file.ts'

/** The variables or headers of a server with their secrets, each read now. */
export async function fillTexts(
  { secrets }: Pick<McpConfig, 'secrets'>,
  config: ServerConfig,
): Promise<FilledTexts> {
  const named = config.kind === 'program' ? config.env : config.headers
  const texts: Record<string, string> = {}
  const hidden: string[] = []
  for (const [name, value] of Object.entries(named)) {
    if (!isObject(value)) {
      texts[name] = value
      continue
    }
    const origin = secrets.get(value.secret)
    if (origin === undefined) throw new Error(`the secret \`${value.secret}\` is not configured`)
    const secret = await openSecretSource(value.secret, origin).read()
    const text = formatSecret(value.format, secret)
    texts[name] = text
    hidden.push(secret, text)
  }
  return { texts, secrets: hidden }
}

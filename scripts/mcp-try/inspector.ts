/** The command line of the MCP Inspector: a process for every question, as somebody would type it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import { runProgram } from './run-program.ts'
import type { McpTarget, TriedClient, TriedSession } from './target.ts'

const LAUNCHER = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'
const SERVER = 'tried'

/** `folder`: where it was installed; what it reads is written there. */
export function openInspector(folder: string, env: Readonly<Record<string, string>>): TriedClient {
  return {
    name: 'inspector',
    async connect(target): Promise<TriedSession> {
      const config = join(folder, 'inspector.json')
      writeFileSync(config, JSON.stringify({ mcpServers: { [SERVER]: toEntry(target) } }))
      const ask = (words: readonly string[]): Promise<JsonObject> => {
        const fixed = [join(folder, LAUNCHER), '--cli', '--config', config, '--server', SERVER]
        return askInspector([...fixed, '--format', 'json', '--quiet', ...words], folder, env)
      }
      return {
        async listTools() {
          const { tools } = await ask(['--method', 'tools/list'])
          return (Array.isArray(tools) ? tools : []).map(readName)
        },
        call: ({ name, args, meta = {} }) =>
          ask([
            ...['--method', 'tools/call', '--tool-name', name],
            ...['--tool-args-json', JSON.stringify(args)],
            ...Object.entries(meta).flatMap(([key, value]) => [
              '--tool-metadata',
              `${key}=${value}`,
            ]),
          ]),
        close: async () => {},
      }
    },
  }
}

function toEntry(target: McpTarget): object {
  if (target.kind === 'address')
    return { type: 'streamable-http', url: target.url, headers: target.headers }
  const { command, args, env } = target
  return { type: 'stdio', command, args, env }
}

/** It ends with another code where the tool answered with an error, and prints the answer all the same. */
async function askInspector(
  words: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<JsonObject> {
  const { stdout, stderr } = await runProgram(process.execPath, words, { cwd, env })
  const said = parseOutput(stdout)
  if (said === undefined) return { error: stderr.trim() }
  const { result } = said
  return isObject(result) ? result : said
}

function parseOutput(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function readName(tool: JsonValue): string {
  return isObject(tool) ? String(tool.name) : ''
}

/** Runs the command line in this process, with everything it says kept. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { main } from './main.ts'

/** Whatever a test leaves behind, here and in processes that it starts, goes with it. */
const root = mkdtempSync(join(tmpdir(), 'rubicon-cli-test-'))
// A Postgres server runs as another user than root, and must get through to its folder.
chmodSync(root, 0o711)
process.env.TMPDIR = root
process.once('exit', () => rmSync(root, { recursive: true, force: true }))

export type Ran = { readonly exit: number; readonly stdout: string; readonly stderr: string }

/** `typed`: there is a terminal, and this is typed at it. */
export async function run(argv: readonly string[], typed?: string): Promise<Ran> {
  let stdout = ''
  let stderr = ''
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined })
  if (typed !== undefined) stdin.end(`${typed}\n`)
  const exit = await main(argv, {
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    stdin,
    env: {},
  })
  return { exit, stdout, stderr }
}

/** What a script reads is whatever was written; the tests say what that should be. */
export type Data = ReturnType<typeof JSON.parse>

export async function runJson(
  argv: readonly string[],
): Promise<{ readonly exit: number; readonly data: Data; readonly stderr: string }> {
  const { exit, stdout, stderr } = await run([...argv, '--json'])
  return { exit, data: JSON.parse(stdout), stderr }
}

export type Home = { readonly folder: string; readonly at: readonly string[] }

/** A folder for one test, and the options that point there. */
export function home(): Home {
  const folder = mkdtempSync(join(root, 'home-'))
  const at = ['--store', `sqlite:${join(folder, 'rubicon.db')}`, '--state', join(folder, 'state')]
  return { folder, at }
}

export const EXAMPLE: string = fileURLToPath(
  new URL('../../../examples/refunds-bot.yaml', import.meta.url),
)

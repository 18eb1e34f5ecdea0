/**
 * `npm run check`: format and lint, types, the pages made from the reason table, the client made from
 * the API document, and style as a test. All of them run; the last lines say which failed.
 */
import { formatSeconds, hasPath, run, say } from './shell.ts'

type Check = { readonly name: string; readonly command: readonly [string, ...string[]] }

const NODE = process.execPath

const checks: readonly Check[] = [
  { name: 'format and lint', command: ['biome', 'check', '.'] },
  { name: 'types', command: ['tsc', '-b'] },
  ...(hasPath('scripts/reason-pages.ts')
    ? [{ name: 'reason pages', command: [NODE, 'scripts/reason-pages.ts', '--check'] } as const]
    : []),
  { name: 'API client', command: [NODE, 'scripts/api-client.ts', '--check'] },
  { name: 'reference', command: [NODE, 'scripts/docs-reference.ts', '--check'] },
  { name: 'tidy', command: [NODE, '--test', '--test-reporter=dot', 'tidy.test.ts'] },
]

const failed: string[] = []
for (const { name, command } of checks) {
  const [program, ...args] = command
  const { ok, stdout, stderr, ms } = run(program, args)
  say(`${ok ? 'ok  ' : 'FAIL'}  ${name} (${formatSeconds(ms)})`)
  if (ok) continue
  failed.push(name)
  say(`${stdout}${stderr}`.trimEnd())
}
say(failed.length === 0 ? 'check: all good' : `check: failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

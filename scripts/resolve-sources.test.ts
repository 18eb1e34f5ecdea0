import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../runtime/src/temporary-folder.test-support.ts'
import { ROOT } from './shell.ts'
import { RESOLVER } from './test-environment.ts'

const LOADED = [
  'server/src/cli/main.ts',
  'server/src/http/served.test-support.ts',
  'sim/src/main.ts',
  'scenarios/src/index.ts',
]

/** What is asked for by whom, and the answer. */
const RECORDER = `import { registerHooks } from 'node:module'
const answers = {}
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { url, format } = nextResolve(specifier, context)
    answers[\`\${context.parentURL} \${context.conditions.includes('import')} \${specifier}\`] = [url, format]
    return { url, format, shortCircuit: true }
  },
})
for (const path of ${JSON.stringify(LOADED)}) await import('${join(ROOT, '/')}' + path)
process.stdout.write(JSON.stringify(answers))
`

function listAnswers(options: readonly string[]): Readonly<Record<string, unknown>> {
  const recorder = join(temporaryFolder(), 'recorder.mjs')
  writeFileSync(recorder, RECORDER)
  const { NODE_OPTIONS: _, ...env } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [...options, recorder], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  })
  assert.equal(status, 0, stderr)
  // Each has a folder of its own.
  return JSON.parse(stdout.replaceAll(recorder, 'recorder'))
}

test('where a module is and what it is made of is what Node would find out', () => {
  const own = listAnswers([])
  assert.ok(Object.keys(own).length > 3_000, `${Object.keys(own).length} imports`)
  assert.deepEqual(listAnswers(['-r', RESOLVER]), own)
})

test('an old Node, which cannot be told, starts all the same', () => {
  const old = join(temporaryFolder(), 'old.cjs')
  writeFileSync(old, "delete require('node:module').registerHooks")
  const asked = ['-r', old, '-r', RESOLVER, '-p', '7']
  const { stdout, stderr } = spawnSync(process.execPath, asked, { encoding: 'utf8' })
  assert.deepEqual([stdout, stderr], ['7\n', ''])
})

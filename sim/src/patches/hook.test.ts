import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { createPatchedRun } from './patched-run.ts'

const folder = mkdtempSync(join(tmpdir(), 'rubicon-hook-'))
after(() => rmSync(folder, { recursive: true }))

const MAINTENANCE = new URL('../../../runtime/src/engine/rows/maintenance.ts', import.meta.url).href
/** Says by how much a dirty flow is counted: 1, or 0 under the patch `dirty_agent_goes_on`. */
const COUNTS = `
import { countDirty } from ${JSON.stringify(MAINTENANCE)}
process.stdout.write(String(countDirty('a', 1).by))
`

function script(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

async function printed(path: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [path], { env })
  return stdout
}

const counts = script('counts.mjs', COUNTS)
const inChild = script(
  'child.mjs',
  `import { execFileSync } from 'node:child_process'
   process.stdout.write(execFileSync(process.execPath, [${JSON.stringify(counts)}]))`,
)
const inThread = script(
  'thread.mjs',
  `import { Worker } from 'node:worker_threads'
   new Worker(${JSON.stringify(counts)})`,
)

test('a patch is made in the process, in its threads and in its children, and is noted', async () => {
  for (const path of [counts, inChild, inThread]) {
    const run = createPatchedRun('dirty_agent_goes_on')
    try {
      assert.equal(await printed(path, process.env), '1', path)
      assert.match(run.problem() ?? '', /^no file of the patch `dirty_agent_goes_on` was loaded$/)
      assert.equal(await printed(path, run.env), '0', path)
      assert.equal(run.problem(), null, path)
    } finally {
      run.end()
    }
  }
})

test('compiled code is not shared between patched and unpatched runs', async () => {
  for (const first of ['patched', 'unpatched']) {
    const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, first) }
    const run = createPatchedRun('dirty_agent_goes_on', env)
    // Also where both keep it in one place: it is kept by what was compiled.
    const cached = { ...run.env, NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE }
    const order = first === 'patched' ? [cached, env, run.env] : [env, run.env, cached, env]
    for (const one of order) {
      assert.equal(await printed(counts, one), one === env ? '1' : '0', first)
    }
    run.end()
  }
})

test('a patch that nobody has stops the process before it begins', () => {
  const run = createPatchedRun('nobody')
  const { status, stdout, stderr } = spawnSync(process.execPath, [counts], { env: run.env })
  run.end()
  assert.equal(status, 1)
  assert.equal(stdout.toString(), '')
  assert.match(stderr.toString(), /no patch is named `nobody`/)
})

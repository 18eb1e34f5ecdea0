/** Getting started, as a newcomer reads it, on this checkout; `npm run docs:try` does it from tarballs. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildConsole } from './console-build.ts'
import { HANDS } from './docs-hands.ts'
import { Reader } from './docs-reader.ts'
import { parseSteps } from './docs-steps.ts'
import { freePort } from './free-port.ts'
import { buildStrangersEnvironment } from './pack.ts'
import { ROOT } from './shell.ts'

test('who does what getting started says ends with a governed agent and a proof', async (t) => {
  await buildConsole()
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-newcomer-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const reader = new Reader({
    folder,
    env: { ...process.env, ...buildStrangersEnvironment(folder), NO_COLOR: '1' },
    port: await freePort(),
    here: {
      'npm install ~/rubicon/dist/packages/*.tgz': `ln -s '${join(ROOT, 'node_modules')}' node_modules`,
    },
    hands: HANDS,
  })
  t.after(() => reader.stop())
  const steps = parseSteps(readFileSync(join(ROOT, 'docs/getting-started.md'), 'utf8'))
  assert.ok(steps.length >= 12)
  for (const step of steps) await reader.performStep(step)
})

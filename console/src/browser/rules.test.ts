import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createRuntime } from 'rubicon-runtime'
import { type OpenConsole, openConsole, textOf } from './console.test-support.ts'
import { capabilities, seedRefunds } from './refunds.test-support.ts'

let folder: string
let opened: OpenConsole

/** The rules of the process before are recorded; this one holds another capability of the same kind. */
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rubicon-rules-'))
  const shared = { store: `sqlite:${folder}/rubicon.db`, stateDirectory: folder, report: () => {} }
  const earlier = await createRuntime({ ...shared, capabilities })
  await seedRefunds(earlier)
  await earlier.close()
  const changed = capabilities.map((one) =>
    one.kind === 'REFUND' ? { ...one, risk: 'high' as const } : one,
  )
  opened = await openConsole({ runtime: { ...shared, capabilities: changed } })
})
after(async () => {
  await opened.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a process whose rules are not in force says so above every page, and how to agree', async () => {
  const { page, errors } = opened
  for (const path of ['/inbox', '/policies?rules=law']) {
    await page.goto(`${opened.url}${path}`)
    const note = page.getByRole('alert').filter({ hasText: 'makes no decisions' })
    await note.waitFor()
    assert.match(await textOf(note), /`REFUND` changed.*--accept-rules sha256:[0-9a-f]{64}/)
  }
  await page.getByText('Rules loaded here').waitFor()
  assert.deepEqual(errors, [])
})

/** A decision of a store, kept as a test in a file. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { openStore } from '../../../runtime/src/compose.ts'
import { readAuthority } from '../../../runtime/src/engine/authority/authority-cache.ts'
import { CaseReader } from '../../../runtime/src/evidence/decision-case.ts'
import { readPastFlows } from '../../../runtime/src/evidence/past-decisions.ts'
import { createPolicyCase } from '../../../runtime/src/evidence/policy-case.ts'

/** The oldest that was accepted. */
export async function saveCase(address: string, file: string): Promise<void> {
  const store = await openStore(address, 'default', undefined, 'read')
  const reader = new CaseReader(store, await readAuthority(store))
  let saved: object | null = null
  for await (const { decisions } of readPastFlows(store, {}))
    for (const { entry, recorded } of decisions) {
      const found = recorded.outcome === 'ACCEPTED' ? await reader.read(entry) : null
      if (found?.ok === true)
        saved = createPolicyCase('a small refund passes', found.value, recorded)
    }
  await store.close()
  assert.ok(saved !== null, 'something was accepted')
  writeFileSync(file, JSON.stringify(saved))
}

/**
 * What every store must do, as tests: an adapter calls `storeConformance` from its own test file.
 * A test that an adapter cannot pass is skipped by name, with the reason; a skip that names no test
 * fails.
 */
import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { archiveTests } from './conformance/archive.ts'
import { registerBranchTests } from './conformance/branches.ts'
import { registerEngineTests } from './conformance/engines.ts'
import { eraseTests } from './conformance/erase.ts'
import { registerExecutionTests } from './conformance/executions.ts'
import { type MakeStore, type RegisterCheck, START, TENANT } from './conformance/fixture.ts'
import { registerGuardTests } from './conformance/guards.ts'
import { integrateTests } from './conformance/integrate.ts'
import { registerLedgerTests } from './conformance/ledger.ts'
import { registerLifetimeTests } from './conformance/lifetime.ts'
import { lockTests } from './conformance/locks.ts'
import { readTests } from './conformance/reads.ts'
import { recordTests } from './conformance/records.ts'
import { registerTreeTests } from './conformance/tree.ts'
import { registerUnitTests } from './conformance/units.ts'
import { registerWorldTests } from './conformance/world.ts'

export type { MakeStore, StoreFixture } from './conformance/fixture.ts'

export type Skip = { readonly test: string; readonly reason: string }

const PARTS = [
  registerGuardTests,
  eraseTests,
  archiveTests,
  registerUnitTests,
  registerLedgerTests,
  registerWorldTests,
  registerBranchTests,
  readTests,
  registerLifetimeTests,
  recordTests,
  lockTests,
  registerExecutionTests,
  registerEngineTests,
  integrateTests,
  registerTreeTests,
] as const

export function storeConformance(name: string, make: MakeStore, skips: readonly Skip[] = []): void {
  describe(`store: ${name}`, () => {
    const names = new Set<string>()
    const check: RegisterCheck = (test, body) => {
      names.add(test)
      const skip = skips.find((one) => one.test === test)
      it(test, { skip: skip?.reason ?? false }, async () => {
        const fixture = await make({ tenant: TENANT, now: START })
        try {
          await body(fixture)
        } finally {
          await fixture.store.close()
        }
      })
    }
    for (const part of PARTS) part(check)

    it('skips only tests that there are', () => {
      const unknown = skips.filter(({ test }) => !names.has(test))
      deepEqual(unknown, [])
    })
  })
}

/** What an auditor takes away: the signed state of the log, and a flow as one file. */
import { ok } from 'rubicon-kernel'
import { logVerifierKey } from '../../engine/checkpoint.ts'
import type { Engine } from '../../engine/engine.ts'
import { exportBundle } from '../../evidence/export-bundle.ts'
import { Prover } from '../../evidence/merkle-proof.ts'
import { fileHeaders } from '../downloads.ts'
import { freshCheckpoint } from '../fresh-checkpoint.ts'
import { checkpointView } from '../ledger-view.ts'
import { type PastQuestions, pastAsking } from '../past-questions.ts'
import { refused } from '../problem.ts'
import { done, type Route } from '../route.ts'
import { latestCheckpoint } from '../schemas/ledger.ts'
import type { ServerParts } from '../server.ts'

const READERS = ['operator', 'approver', 'auditor'] as const

export function evidenceRoutes({ engine }: ServerParts, past: PastQuestions): readonly Route[] {
  const { store, sha256 } = engine.context
  const prover = new Prover(store, sha256)
  return [
    {
      method: 'GET',
      path: '/v1/checkpoints/latest',
      operation: 'getCheckpoint',
      summary: 'the signed state of the log',
      roles: READERS,
      reply: latestCheckpoint,
      async handle() {
        const latest = await store.checkpoint()
        const known = latest === null ? await freshCheckpoint(engine) : ok(latest)
        if (!known.ok) return known.error
        const view = await checkpointView(store, known.value)
        return done({ ...view, verifier_key: await verifierKeyOf(engine) })
      },
    },
    {
      method: 'GET',
      path: '/v1/bundles/:dfid',
      operation: 'exportBundle',
      summary: 'a flow as one file, to be verified elsewhere',
      roles: READERS,
      reply: 'text',
      handle: (asked) =>
        past.ask(pastAsking(asked), async (pause) => {
          const { dfid = '' } = asked.params
          // What has come since the last checkpoint would have no proof.
          const covered = await freshCheckpoint(engine)
          if (!covered.ok) return covered.error
          const bundle = await exportBundle(store, sha256, dfid, prover, pause)
          if (!bundle.ok) return refused(bundle.error)
          return { status: 200, body: bundle.value, headers: fileHeaders(`${dfid}.json`) }
        }),
    },
  ]
}

/** Null where this process holds no checkpoint key: then it signs no notes. */
async function verifierKeyOf({ context }: Engine): Promise<string | null> {
  const { signer, authorities, tenant, sha256 } = context
  const key = signer.publicKey('checkpoint')
  return key === null ? null : logVerifierKey(tenant, await authorities.latest(), key, sha256)
}

/** Keys and tokens: what a token may not end, what a key may not say of itself, and who said it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashText } from 'rubicon-kernel'
import { compromiseKey } from '../../../../runtime/src/engine/authority/keys.ts'
import { deliverToken } from '../../../../server/src/cli/first-token.ts'
import { makeAgentKey } from '../../../../server/src/http/agent-auth/agent-key.ts'
import { ask } from '../../../../server/src/http/agent-auth/client.ts'
import { mintToken } from '../../../../server/src/people/people.ts'
import { writePeople } from '../../../../server/src/people/people-file.ts'
import { PERSON_ROLES } from '../../../../server/src/people/principal.ts'
import { replaceToken } from '../../../../server/src/people/server-people.ts'
import { ANN, BOB, TRUDY } from '../shop.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const TO_COME = 1_000_000_000

/** Of an agent, beside the one that it uses. */
async function spareKey({ engine }: Stage): Promise<string> {
  const made = await makeAgentKey(engine, TRUDY)
  if (!made.ok) throw new Error(made.error.summary)
  return made.value.key_id
}

/** In a folder that is gone afterwards. */
async function useTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-hostile-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What somebody reads with a token that she found or was given. */
async function readWith(stage: Stage, token: string): Promise<void> {
  const { url } = stage.wire
  stage.hear((await ask({ url, token }, 'GET', `/v1/flows/${stage.victims.dfid}`)).body)
}

export const KEY_TRICKS: readonly Trick[] = [
  {
    name: 'end_a_key_of_the_runtime_with_a_token',
    goal: 'broken_ledger',
    patch: 'keys-of-the-runtime-ended-over-http',
    async attempt(stage) {
      const key = stage.engine.context.signer.publicKey('checkpoint')?.key_id
      // It is refused behind the door, before the engine is asked.
      stage.reach()
      await stage.wire.sendAsPerson(BOB, 'POST', `/v1/keys/${key}/retirement`, {})
    },
  },
  {
    name: 'have_a_key_ended_from_a_place_to_come',
    goal: 'broken_ledger',
    patch: 'keys-ended-by-entries-that-do-not-fit',
    async attempt(stage) {
      const path = `/v1/keys/${await spareKey(stage)}/compromise`
      await stage.wire.sendAsPerson(BOB, 'POST', path, { since_seq: TO_COME })
    },
  },
  {
    name: 'have_the_key_of_the_operator_end_itself',
    goal: 'broken_ledger',
    patch: 'operator-key-ends-itself',
    async attempt(stage) {
      const { context } = stage.engine
      // As an operator would who believes that it was stolen.
      stage.reach()
      stage.hear(
        await compromiseKey(context, context.signer.publicKey('operator')?.key_id ?? '', 0),
      )
    },
  },
  {
    name: 'end_a_key_in_the_name_of_another',
    goal: 'missing_person',
    patch: 'keys-end-in-nobodys-name',
    async attempt(stage) {
      const key = await spareKey(stage)
      const path = `/v1/keys/${key}/retirement`
      await stage.wire.sendAsPerson(ANN, 'POST', path, { by: BOB })
      await stage.wire.sendAsPerson(ANN, 'POST', path, {})
      const { body } = await stage.wire.sendAsPerson(BOB, 'GET', '/v1/ledger/export')
      const [, ...entries] = String(body).split('\n')
      const said = entries.find((line) => line.includes(key) && line.includes('retire'))
      if (said !== undefined && !said.includes(ANN))
        stage.taken.push({ goal: 'missing_person', detail: 'nobody answers for the end of a key' })
    },
  },
  {
    name: 'use_a_token_that_was_made_without_a_role',
    goal: 'anothers_data',
    patch: 'token-without-a-role-is-for-everything',
    attempt: (stage) =>
      useTemporaryFolder(async (folder) => {
        const { sha256, random } = stage.engine.context
        const file = join(folder, 'people.json')
        const token_hash = hashText(mintToken(random), sha256)
        writePeople(file, [{ name: 'operator', roles: PERSON_ROLES, token_hash }])
        stage.reach()
        const made = replaceToken({ name: 'helper' }, file, { random, sha256 })
        if (!made.ok) return
        stage.wire.admit(made.value.person)
        await readWith(stage, made.value.token)
      }),
  },
  {
    name: 'read_the_first_token_in_the_log',
    goal: 'anothers_data',
    patch: 'first-token-is-logged',
    attempt: (stage) =>
      useTemporaryFolder(async (folder) => {
        const { sha256, random } = stage.engine.context
        const token = mintToken(random)
        const name = `first-${stage.rng.drawUint32()}`
        stage.wire.admit({ name, roles: PERSON_ROLES, token_hash: hashText(token, sha256) })
        const url = stage.wire.url
        const serving = { url, link: `${url}/#${token}`, name, token, close: async () => {} }
        const sink = { write: () => true }
        const streams = { stdout: sink, stderr: sink, stdin: process.stdin, env: {} }
        // A server that nobody started from a terminal: what it says stands in a log.
        stage.reach()
        const log = JSON.stringify(deliverToken(serving, streams, folder))
        const found = log.match(/rbo_[A-Za-z0-9_-]+/)?.[0]
        if (found !== undefined) await readWith(stage, found)
      }),
  },
]

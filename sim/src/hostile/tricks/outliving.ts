/** A token that has ended: nothing that was begun with it goes on, and nothing brings it back. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashText } from 'rubicon-kernel'
import { formatContract } from '../../../../runtime/src/contract-file/contract-text.ts'
import { ask } from '../../../../server/src/http/agent-auth/client.ts'
import { createPeopleReader } from '../../../../server/src/people/fresh-people.ts'
import { createPeople, type People } from '../../../../server/src/people/people.ts'
import { writePeople } from '../../../../server/src/people/people-file.ts'
import { useSecondServer } from '../second-server.ts'
import { buildShopContract, MALLORY } from '../shop.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const OPERATOR = 'opal@example.com'
const AUDITOR = 'audit@example.com'
/** At the door, and when the body has come. */
const LOOKS_BEFORE = 2

/** An operator who is no longer one when what they sent was read. */
function createLeavingPeople({ wire }: Stage, left: string): People {
  const { people } = wire
  let looks = 0
  const find: People['find'] = (token) => {
    looks += token === left ? 1 : 0
    return token === left && looks > LOOKS_BEFORE ? null : people.find(token)
  }
  return { find, named: people.named, list: people.list }
}

async function useFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-hostile-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const OUTLIVING_TRICKS: readonly Trick[] = [
  {
    name: 'put_a_contract_in_force_with_a_token_that_ends_while_it_is_read',
    goal: 'effect_outside_contract',
    patch: 'contracts-outlive-authority',
    async attempt(stage) {
      const token = stage.wire.getToken(OPERATOR)
      const people = createLeavingPeople(stage, token)
      const contract = buildShopContract(MALLORY, `1.0.${stage.advanceVersion()}`)
      const body = { source: formatContract(contract) }
      await useSecondServer(stage, { people }, async ({ url }) => {
        const { status } = await ask({ url, token }, 'PUT', `/v1/contracts/${MALLORY}`, { body })
        if (status < 300)
          stage.taken.push({ goal: 'effect_outside_contract', detail: 'nobody put it in force' })
      })
    },
  },
  {
    name: 'go_on_with_a_token_while_nobody_can_read_whose_it_is',
    goal: 'anothers_data',
    patch: 'unreadable-people-count',
    attempt: (stage) =>
      useFolder(async (folder) => {
        const { sha256 } = stage.engine.context
        const token = 'found-on-a-desk'.padEnd(40, '-')
        const file = join(folder, 'people.json')
        writePeople(file, [
          { name: AUDITOR, roles: ['auditor'], token_hash: hashText(token, sha256) },
        ])
        const people = createPeople(createPeopleReader(file), sha256)
        await useSecondServer(stage, { people }, async ({ url }) => {
          const look = async (): Promise<number> =>
            (await ask({ url, token }, 'GET', '/v1/flows')).status
          if ((await look()) !== 200) throw new Error('the token counts')
          // It is replaced, on a disk that takes a part of it.
          writeFileSync(file, '{"people":[{"name":"audit')
          for (let i = 0; i < 2; i++)
            if ((await look()) === 200)
              stage.taken.push({ goal: 'anothers_data', detail: 'a token that nobody has' })
        })
      }),
  },
]

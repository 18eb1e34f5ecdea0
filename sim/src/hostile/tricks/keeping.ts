/** What another agent keeps for itself: its state, its documents, and what it is shown of them. */
import { GRAFFITO } from '../judge.ts'
import { VICTIM } from '../shop.ts'
import type { Trick } from '../trick.ts'

/** Words that stand in the trigger of the victim's flow, so that it would be shown what they stand in. */
const DOCUMENT = { title: 'Work', text: `work work work: ${GRAFFITO}` }

export const KEEPING_TRICKS: readonly Trick[] = [
  {
    name: 'close_anothers_flow',
    goal: 'anothers_flow',
    patch: 'flow-of-anybody',
    attempt: async (stage) =>
      void (await stage.sendPost(`/v1/flows/${stage.victims.dfid}/closure`, {})),
  },
  {
    name: 'read_what_another_keeps',
    goal: 'anothers_data',
    patch: 'own-things-of-anybody',
    async attempt(stage) {
      const at = `/v1/agents/${VICTIM}`
      const body = { title: 'Vault', text: stage.secret }
      await stage.wire.sendAs(VICTIM, 'PUT', `${at}/documents/vault`, body)
      await stage.get(`${at}/documents/vault`)
      await stage.get(`${at}/state`)
      await stage.get(`${at}/timers`)
      await stage.get(`/v1/flows/${stage.victims.dfid}/notes`)
      await stage.open({ trigger: `the vault ${stage.secret.slice(0, 3)}` })
    },
  },
  {
    name: 'write_among_what_another_keeps',
    goal: 'anothers_flow',
    patch: 'own-things-of-anybody',
    attempt: async (stage) =>
      void (await stage.put(`/v1/agents/${VICTIM}/documents/orders`, DOCUMENT)),
  },
  {
    name: 'write_a_document_that_others_are_shown',
    goal: 'anothers_flow',
    patch: 'documents-found-by-all',
    async attempt(stage) {
      const { agent_id } = (await stage.open())?.context ?? {}
      await stage.put(`/v1/agents/${agent_id}/documents/orders`, DOCUMENT)
      await stage.put('/v1/artifacts/orders', DOCUMENT)
    },
  },
]

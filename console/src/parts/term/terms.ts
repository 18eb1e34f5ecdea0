export type TermWord =
  | 'arbitration'
  | 'checkpoint'
  | 'entry'
  | 'envelope'
  | 'evidence'
  | 'flow'
  | 'idempotency key'
  | 'payload'
  | 'probe'
  | 'receipt'
  | 'topic'
  | 'trajectory'
  | 'World'

/** Words of the protocol that the console shows, each with what the glossary says of it (`terms.test.ts`). */
export const TERMS: Readonly<Record<TermWord, string>> = {
  arbitration:
    'whose proposal stands where several agents answer one event: by kinds and priorities, never by arrival',
  checkpoint:
    'a signed note: the ledger had so many entries, and this is the hash over all of them',
  entry: 'one record of the ledger: an envelope and a payload',
  envelope: 'the part of an entry that stays when its payload is erased: kind, time, place, hashes',
  evidence:
    'what was found out later: whether an uncertain effect was applied, what an agent reported, what was found in a text from outside, what a guard or an auditor concluded about a step, a refreshed context',
  flow: 'one task of an agent: what began it (the trigger), what the agent was shown, what it proposed, and what came of it. Its id is the dfid',
  'idempotency key':
    'the same for every attempt to send one effect, so that the other system can tell a repetition',
  payload: 'what an entry says: a proposal, facts, a verdict, an outcome. It can be erased',
  probe: 'asks the other system whether an effect was applied',
  receipt: 'what the other system answered when an effect was applied, as its capability kept it',
  topic:
    'what agents can be woken by: a path of State, or the beginning of one, ending in *; in the rules, what holds for events about it',
  trajectory: 'a chain of entries, in one order. A tenant has several, such as main and authority',
  World: 'the state of every resource, computed from what the ledger says was done to it',
}

/** As the page of the glossary names the row. */
export function formatTermAnchor(word: string): string {
  return word.toLowerCase().replaceAll(' ', '-')
}

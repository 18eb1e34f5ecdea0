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
    'decides which proposal is carried out if several agents answer one event: by kinds and priorities, never by time of arrival',
  checkpoint:
    'a signed note: the ledger had so many entries, and this is the hash over all of them',
  entry: 'one record of the ledger: an envelope and a payload',
  envelope: 'the part of an entry that stays when its payload is erased: kind, time, place, hashes',
  evidence:
    'an entry about something found out later: whether an uncertain effect was applied, a report of an agent, a suspicious text from outside, the opinion of a guard or auditor on a step, a refreshed context',
  flow: 'one task of an agent: its trigger, what the agent was shown, what it proposed, and the outcome. Its id is the dfid',
  'idempotency key':
    'a key that is the same for every attempt to send one effect, so that the other system can recognise a repetition',
  payload: 'the content of an entry: a proposal, facts, a verdict, an outcome. It can be erased',
  probe: 'asks the other system whether an effect was applied',
  receipt:
    "the other system's confirmation that an effect was applied, as the capability returned it",
  topic:
    'a path of State that agents can be woken by, or a prefix of paths that ends in *; in the rules, the settings for events about it',
  trajectory: 'a chain of entries, in one order. A tenant has several, such as main and authority',
  World: 'the state of every resource that the runtime keeps itself, computed from the ledger',
}

/** As the page of the glossary names the row. */
export function formatTermAnchor(word: string): string {
  return word.toLowerCase().replaceAll(' ', '-')
}

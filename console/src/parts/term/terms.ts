export type TermWord =
  | 'arbitration'
  | 'checkpoint'
  | 'dirty'
  | 'entry'
  | 'envelope'
  | 'evidence'
  | 'exhausted'
  | 'flow'
  | 'idempotency key'
  | 'keyed'
  | 'payload'
  | 'probe'
  | 'put_if_match'
  | 'queryable'
  | 'read'
  | 'receipt'
  | 'topic'
  | 'trajectory'
  | 'unsafe'
  | 'World'

/** Words of the protocol that the console shows, each with what the glossary says of it (`terms.test.ts`). */
export const TERMS: Readonly<Record<TermWord, string>> = {
  arbitration:
    'decides which proposal is carried out if several agents answer one event: by kinds and priorities, never by time of arrival',
  checkpoint:
    'a signed note: the ledger had so many entries, and this is the hash over all of them',
  dirty: 'of a flow: an effect failed after another had succeeded, and this is not compensated yet',
  entry: 'one record of the ledger: an envelope and a payload',
  envelope: 'the part of an entry that stays when its payload is erased: kind, time, place, hashes',
  evidence:
    'an entry about something found out later: whether an uncertain effect was applied, a report of an agent, a suspicious text from outside, the opinion of a guard or auditor on a step, a refreshed context',
  flow: 'one task of an agent: its trigger, what the agent was shown, what it proposed, and the outcome. Its id is the dfid',
  exhausted: 'refused, and the flow has ended, as when its attempts or its budget are used up',
  'idempotency key':
    'a key that is the same each time one effect is sent, so that the other system can recognise a repetition',
  keyed:
    'of an effect: the other system recognises a repetition by its key, so that it is sent again under that key when an answer is lost',
  payload: 'the content of an entry: a proposal, facts, a verdict, an outcome. It can be erased',
  probe: 'asks the other system whether an effect was applied',
  put_if_match:
    'of an effect: it writes only if the current value is the expected one, so that it is sent again with that condition when an answer is lost',
  queryable: 'of an effect: the other system can be asked later whether it was applied',
  read: 'of an effect: it changes nothing, and is simply repeated',
  receipt:
    "the other system's confirmation that an effect was applied, as the capability returned it",
  topic:
    'a path of State that agents can be woken by, or a prefix of paths that ends in *; in the rules, the settings for events about it',
  trajectory: 'a chain of entries, in one order. A tenant has several, such as main and authority',
  unsafe:
    'of an effect: it may happen twice if it is sent twice, and the other system cannot be asked. When an answer is lost, a person finds out',
  World: 'the state of every resource, computed from the ledger',
}

/** As the page of the glossary names the row. */
export function formatTermAnchor(word: string): string {
  return word.toLowerCase().replaceAll(' ', '-')
}

/** What an attack on release 0.2.0 found, sentence by sentence: number and letter → what was wrong. */
export const FINDINGS: Readonly<Record<string, string>> = {
  '1a': "an agent's observation decides its own limit",
  '1b': "an agent's observation decides another agent's limit",
  '2a': 'a resource set that no scope answers is ignored',
  '2b': 'a drift envelope on a field that the capability does not watch is ignored',
  '2c': 'a reversed or misspelt scope registers',
  '3a': 'a literal key hides the nested sink from its check',
  '3b': 'sinks inside arrays are unchecked',
  '4a': 'a negative amount passes a maximum',
  '4b': 'exposure is compared with its sign',
  '5a': 'a flow opened with state `*` shows escalated proposals of other agents',
  '6a': 'a flow on the trajectory `authority` is accepted, and the ledger never verifies again',
  '6b': 'a flow on an unknown trajectory is a 500',
  '7a': "a child under another agent's flow takes its budget and makes it dirty",
  '8a': 'MODIFY into high impact asks for no other person, dwell or acknowledgement',
  '8b': 'a parent agent modifies upward, and no person sees it',
  '8c': 'a parent agent alone overrides approvers that need two',
  '8d': "an OIDC subject never equals an owner's e-mail",
  '8e': 'one human with two logins counts twice',
  '8f': 'a person named like an agent breaks the ledger for good',
  '9a': 'stricter rules recorded by one process do not bind another',
  '9b': 'a process started with fewer rules than were in force says nothing, and acts',
  '10a': 'a key compromised between accepted and dispatch is ignored',
  '10b': 'a flow goes on after its own writ is revoked, if the proposal names another',
  '11a': 'by default nothing of high impact goes to a parent: the hierarchy does not exist',
  '11b': 'an escalation climbs one level only',
  '12a': 'a contract version for the future stops the agent today',
  '13a': 'a flow that has ended takes any number of proposals',
  '13b': 'a fresh flow resets every limit: there is no budget per agent and window',
  '15a': 'a payload that nobody erased is taken as erased',
  '15b': 'an erased dispatch exempts its trajectory: invented commits verify',
  '15c': 'one erased writ disables the check of writs everywhere',
  '15d': 'behind an erased commit the World of its trajectory is unchecked',
  '17a': 'executors of their own cost the audit query reasoning, action and confidence',
  '17b': 'context_snapshots has the context of the opening only',
  '17c': 'there is no escalation_budget',
  '17d': 'human_decision is always empty',
  '17e': 'a flow has one escalation request, the last',
  '17f': 'events have no state, and context_session is the opening',
  '20a':
    'a probe that returns a cost that cannot be counted stops monitors, timers and checkpoints',
  '20b': 'probes that hang stop monitors, timers and checkpoints',
  '21b': 'all probes are used up before the effect cannot arrive any more',
  '18a': 'what was not applied is sent again twenty hours later, past its deadline',
  '18b': 'what was not applied is sent again after the end of its approval',
  '18c': 'what was not applied is sent again while its agent is in maintenance',
  '23a': 'planted bugs live in production code',
  '25a': 'a proposal without a mission hash suspends the agent',
  '25b': 'a proposal without context_ref is stale',
  '28a': 'agents cannot create instances by proposal, and nothing ends them',
  '28b': 'the silence watchdog sees open flows only',
  '28c': 'a flow whose proposals are refused stays ACTIVE for ever',
  '37a': 'a signature whose R has small order is taken by one verifier and refused by another',
  '40a': 'a signature of a key that nobody knows refuses a signed note',
}

/** `8` is all of 8; `8a` is that sentence; nothing is everything. Null: there is no such finding. */
export function selectFindings(words: readonly string[]): readonly string[] | null {
  const ids = Object.keys(FINDINGS)
  const isOf = (id: string, word: string): boolean => id === word || id.slice(0, -1) === word
  if (words.some((word) => !ids.some((id) => isOf(id, word)))) return null
  return words.length === 0 ? ids : ids.filter((id) => words.some((word) => isOf(id, word)))
}

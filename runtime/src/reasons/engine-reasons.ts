/**
 * Codes of the engine and the command that no verdict carries: why something was not registered, not
 * made, or not changed. They stand in problems over HTTP and in the details of a step that failed.
 */
export type EngineReason = { readonly means: string; readonly why: string; readonly fix: string }

export const ENGINE_REASONS: Readonly<Record<string, EngineReason>> = {
  AGENT_EXISTS: {
    means: 'there is an agent of this name, or there was one',
    why: 'a name is used once, also when its bearer has ended',
    fix: 'give the instance a name of its own',
  },
  INSTANCE_FOREIGN: {
    means: 'the class is not below the agent that wants an instance of it',
    why: 'an agent may have instances of itself, and of those whose `parent_agent` leads to it',
    fix: 'name the agent itself, or one that it answers for',
  },
  INSTANCE_UNTIL: {
    means: 'what should end the instance cannot',
    why: 'an instance ends with an open flow of its spawner, or within a week, and its contract with it',
    fix: 'name an open flow of the agent that spawns, or a time within a week; leave `effective_until` out',
  },
  INSTANCE_LIMIT: {
    means: 'there are as many instances as there may be',
    why: 'a spawner, a class and an hour have their limits: docs/spec/registry.md §7',
    fix: 'wait until some of them have ended',
  },
  SOURCE_UNKNOWN: {
    means: 'no source of facts of this name is registered',
    why: 'only registered sources and operators say what is so',
    fix: '`rubicon source list`; `rubicon source add NAME --label LABEL --paths PATHS`',
  },
  SOURCE_CLAIMED: {
    means: 'another source owns one of these paths already',
    why: 'every path of State has one owner: two could contradict each other',
    fix: 'name other or longer paths, or retire the other source',
  },
  SOURCES_FULL: {
    means: 'there are as many sources of facts as there may be',
    why: 'whoever decides reads all of them',
    fix: 'retire those that nobody needs: `rubicon source retire NAME`',
  },
  SESSIONS_FULL: {
    means: 'the agent has as many sessions, or has shaken hands as often, as it may',
    why: 'a new session never ends one that is in use',
    fix: 'end sessions that nobody uses: `DELETE /v1/agents/handshake`, or shake hands with `end_others: true`',
  },
  PATHS_FULL: {
    means: 'the source speaks of as many paths as it was registered for',
    why: 'nobody fills the store with facts',
    fix: 'register it again with a larger `--max-paths`',
  },
  PERSON_MISSING: {
    means: 'there is no such person',
    why: 'persons are registered by an operator, or by their first login',
    fix: '`rubicon person list`; `rubicon person register NAME`',
  },
  IDENTITY_TAKEN: {
    means: 'somebody else is known by this name or login',
    why: 'a name or a login is that of one person',
    fix: 'if both are one human, `rubicon person merge PERSON INTO`; else unlink it there first',
  },
  IDENTITY_UNKNOWN: {
    means: 'the person is not known by this name or login',
    why: 'only what was linked can be unlinked',
    fix: '`rubicon person list` shows what each is known by',
  },
  FLOW_ERASED: {
    means: 'the flow was erased',
    why: 'an operator had what it said taken out of the ledger; a flow is erased once',
    fix: 'nothing is left to do',
  },
  ERASURE_WAITS: {
    means: 'the flow cannot be erased yet',
    why: 'something is open, uncertain or dirty in it, above, below or beside it, and may need what it says',
    fix: 'erase it once all of that has ended and is settled',
  },
  STORE_CONTENTION: {
    means: 'what was to be written kept changing meanwhile',
    why: 'nothing is written on what somebody else has changed',
    fix: 'try again',
  },
  ARTIFACT_UNKNOWN: {
    means: 'there is no document of this name',
    why: 'it was dropped, was never put there, or is another agent’s',
    fix: 'check the name',
  },
  DOCUMENTS_FULL: {
    means: 'the agent keeps as many documents as it may',
    why: 'each of them is searched for every context',
    fix: 'drop one of them, or write over it',
  },
  NOTES_FULL: {
    means: 'the flow has as many notes as it may',
    why: 'a flow is one decision, not a diary',
    fix: 'close the flow and open another',
  },
  EXPLANATIONS_FULL: {
    means: 'the agent has explained itself in this flow as often as it may',
    why: 'an explanation decides nothing',
    fix: 'propose',
  },
  REFRESHES_FULL: {
    means: 'the flow was shown as many new contexts as it may be',
    why: 'each is recorded',
    fix: 'propose, or open another flow',
  },
  TIMER_INVALID: {
    means: 'the timer cannot be scheduled',
    why: 'it needs an agent, a trigger, and a time or a distance within its limits',
    fix: 'correct what the message names',
  },
  TIMER_UNKNOWN: {
    means: 'there is no timer of this name',
    why: 'it has fired, was dropped, or was never set',
    fix: 'check the name',
  },
  TIMERS_FULL: {
    means: 'the agent has as many timers as it may',
    why: 'nobody attends what timers open',
    fix: 'drop one of them, or set one of the same name again',
  },
  EXECUTION_UNKNOWN: {
    means: 'the flow has no step of this name that was sent',
    why: 'only what was dispatched has an execution',
    fix: '`rubicon executions list` shows flows and steps',
  },
  EXECUTION_NOT_IN_REVIEW: {
    means: 'the step does not wait for a person',
    why: 'a person settles only what the runtime could not',
    fix: '`rubicon executions list --status MANUAL_REVIEW` shows those that do',
  },
  RESOLUTION_INVALID: {
    means: 'the outcome that a person gave cannot be recorded',
    why: 'it needs an outcome that fits the step or flow, evidence and a reason',
    fix: 'correct what the message names',
  },
  ESCALATION_CLAIMED: {
    means: 'somebody else looks after this request',
    why: 'a claim goes to another only by the name of who has it; it keeps nobody from deciding',
    fix: 'decide it anyway, wait a quarter of an hour, or take it over by name',
  },
  MONITOR_UNKNOWN: {
    means: 'there is no monitor of this name, or it does not watch this agent',
    why: 'thresholds of a contract go with the contract',
    fix: '`rubicon monitors list` shows those in force',
  },
  MONITORS_FULL: {
    means: 'there are as many monitors as there may be',
    why: 'each judges every execution',
    fix: 'withdraw one: `rubicon monitors withdraw NAME --reason TEXT`',
  },
  KEY_OWN: {
    means: 'the operator key would sign its own end',
    why: 'what a key says of its own compromise does not count, and after its end nobody here could stop an agent',
    fix: 'register another operator key, and end this one where that one is held',
  },
  KEY_EXISTS: {
    means: 'a key of this id is registered already',
    why: 'the id follows from the key: it is the same key',
    fix: 'use it, or make another',
  },
  KEY_UNKNOWN: {
    means: 'no key of this id is registered',
    why: 'ids are those of `rubicon keys`',
    fix: '`rubicon keys` lists them',
  },
  KEY_CHANGE_UNFIT: {
    means: 'the key cannot be ended in this way',
    why: 'it has ended already, or the compromise would begin at an entry that is not there yet',
    fix: '`rubicon keys` shows where each key stands; `--since` names an authority seq that is there',
  },
  KEY_OF_RUNTIME: {
    means: 'the key is one of the runtime itself',
    why: 'it is changed by whoever holds the machine, not by a token',
    fix: 'stop the server, and do it without `--server`',
  },
  PERSON_NAME: {
    means: 'nobody can have this name',
    why: 'some names are those of agents, keys or roles, and some characters are not allowed',
    fix: 'use another, such as an address of mail',
  },
  PERSON_UNSIGNED: {
    means: 'a person was to be registered where no operator key is held',
    why: 'nobody registers themselves',
    fix: 'register them where the operator key is: `rubicon person register NAME`',
  },
  PERSON_UNLINKED: {
    means: 'an operator unlinked this name, and nobody has it',
    why: 'met again by itself, one human would count as two persons',
    fix: 'let an operator say whose it is: `rubicon person link`, or `rubicon person register`',
  },
  IDENTITY_OWN: {
    means: 'an operator says who they are themselves',
    why: 'whoever may say that could approve as one person after another',
    fix: 'have another operator say it',
  },
  IDENTITY_LIMIT: {
    means: 'the person is known by as many names and logins as one may be',
    why: 'so many are no one’s own',
    fix: 'unlink one that is not used any more: `rubicon person unlink`',
  },
  TRAJECTORY_EXISTS: {
    means: 'there is a trajectory of this name already',
    why: 'a trajectory is never written over',
    fix: 'choose another name',
  },
  CHECKPOINT_UNKNOWN: {
    means: 'there is no checkpoint of this size',
    why: 'a proof leads from one signed checkpoint to a later one',
    fix: 'give the size of an earlier checkpoint',
  },
  QUERY_UNREADABLE: {
    means: 'the search cannot be read',
    why: 'a search that was guessed at would leave something out',
    fix: 'write it as the message says',
  },
  ENTRY_NO_DECISION: {
    means: 'the entry is no decision',
    why: 'only decisions can be judged again',
    fix: 'choose one of `GET /v1/decisions`',
  },
  DECISION_NOT_AGAIN: {
    means: 'the decision cannot be judged again',
    why: 'what it stood on is erased, or was never recorded',
    fix: 'choose another',
  },
  DRAFT_TOO_COSTLY: {
    means: 'the draft takes longer to try than drafts may',
    why: 'what is tried takes time from decisions',
    fix: 'write shorter texts, fewer rules or patterns with fewer wildcards, or try fewer decisions',
  },
  PAST_TOO_LONG: {
    means: 'the question about past decisions takes longer than it may',
    why: 'it takes time from decisions',
    fix: 'ask about fewer decisions, or about one agent',
  },
  NOTHING_TO_ACCEPT: {
    means: 'there is nothing to accept or to confirm',
    why: 'the ledger is the one that was signed, and the clock goes as it should',
    fix: 'start the runtime; what `rubicon verify` finds beyond that cannot be accepted',
  },
}

/**
 * Codes of the engine and the command that no verdict carries: why something was not registered, not
 * made, or not changed. They stand in problems over HTTP and in the details of a step that failed.
 */
export type EngineReason = { readonly means: string; readonly why: string; readonly fix: string }

export const ENGINE_REASONS: Readonly<Record<string, EngineReason>> = {
  AGENT_EXISTS: {
    means: 'the name of the agent is already used',
    why: 'a name is used only once, even after its agent has ended',
    fix: 'give the instance a name of its own',
  },
  INSTANCE_FOREIGN: {
    means: 'the agent may not create instances of this class',
    why: 'an agent may create instances of itself, and of agents below it (`parent_agent`)',
    fix: 'name the agent itself, or one below it',
  },
  INSTANCE_UNTIL: {
    means: 'the end of the instance is not valid',
    why: 'an instance and its contract end with an open flow of its creator, or within a week',
    fix: 'name an open flow of the creating agent, or a time within a week; leave `effective_until` out',
  },
  INSTANCE_LIMIT: {
    means: 'the limit of instances is reached',
    why: 'there is a limit per creator, per class and per hour: docs/spec/registry.md §7',
    fix: 'wait until some of them have ended',
  },
  SOURCE_UNKNOWN: {
    means: 'no source of facts of this name is registered',
    why: 'only registered sources and operators may report facts',
    fix: '`rubicon source list`; `rubicon source add NAME --label LABEL --paths PATHS`',
  },
  SOURCE_CLAIMED: {
    means: 'another source owns one of these paths already',
    why: 'every path of State has one owner: two could contradict each other',
    fix: 'name other or longer paths, or retire the other source',
  },
  SOURCES_FULL: {
    means: 'the limit of sources is reached',
    why: 'every decision reads all of them',
    fix: 'retire unused ones: `rubicon source retire NAME`',
  },
  SESSIONS_FULL: {
    means: 'the agent has reached its limit of sessions or handshakes',
    why: 'a new session does not end one that is in use',
    fix: 'end unused sessions: `DELETE /v1/agents/handshake`, or send the handshake with `end_others: true`',
  },
  PATHS_FULL: {
    means: 'the source has reached its limit of paths',
    why: 'the limit keeps a source from filling the store',
    fix: 'register it again with a larger `--max-paths`',
  },
  PERSON_MISSING: {
    means: 'this person does not exist',
    why: 'persons are registered by an operator, or by their first login',
    fix: '`rubicon person list`; `rubicon person register NAME`',
  },
  IDENTITY_TAKEN: {
    means: 'this name or login belongs to another person',
    why: 'a name or login belongs to one person',
    fix: 'if both are one human, `rubicon person merge PERSON INTO`; otherwise unlink it there first',
  },
  IDENTITY_UNKNOWN: {
    means: 'this name or login is not linked to the person',
    why: 'only what was linked can be unlinked',
    fix: '`rubicon person list` shows the names and logins of each',
  },
  FLOW_ERASED: {
    means: 'the flow was erased',
    why: 'an operator erased its payloads; a flow is erased once',
    fix: 'nothing is left to do',
  },
  ERASURE_WAITS: {
    means: 'the flow cannot be erased yet',
    why: 'the flow, or a related one, is open, uncertain or dirty, and may still need the data',
    fix: 'erase it when all of them have ended and are settled',
  },
  FLOW_ARCHIVED: {
    means: 'the payloads of the flow lie in an archive',
    why: 'an operator moved them out of the store; its rows and hashes are still there',
    fix: '`rubicon archive list` names the files; `rubicon archive restore FILE --apply` puts them back',
  },
  STORE_CONTENTION: {
    means: 'the data kept changing during the write',
    why: 'nothing is written over a change by somebody else',
    fix: 'try again',
  },
  ARTIFACT_UNKNOWN: {
    means: 'no document has this name',
    why: 'it was deleted, never existed, or belongs to another agent',
    fix: 'check the name',
  },
  DOCUMENTS_FULL: {
    means: 'the agent has reached its limit of documents',
    why: 'each of them is searched for every context',
    fix: 'delete or replace one of them',
  },
  NOTES_FULL: {
    means: 'the flow has reached its limit of notes',
    why: 'notes are shown to the agent, within a budget',
    fix: 'close the flow and open another',
  },
  EXPLANATIONS_FULL: {
    means: 'the flow has reached its limit of explanations',
    why: 'an explanation decides nothing',
    fix: 'propose',
  },
  REFRESHES_FULL: {
    means: 'the flow has reached its limit of refreshed contexts',
    why: 'each of them is recorded',
    fix: 'propose, or open another flow',
  },
  TIMER_INVALID: {
    means: 'the timer cannot be scheduled',
    why: 'it needs an agent, a trigger, and a time or an interval within its limits',
    fix: 'correct what the message names',
  },
  TIMER_UNKNOWN: {
    means: 'no timer has this name',
    why: 'it has fired, was deleted, or was never set',
    fix: 'check the name',
  },
  TIMERS_FULL: {
    means: 'the agent has reached its limit of timers',
    why: 'timers open flows without anybody watching',
    fix: 'delete one of them, or replace one by its name',
  },
  EXECUTION_UNKNOWN: {
    means: 'no step of this name was sent in the flow',
    why: 'only what was dispatched has an execution',
    fix: '`rubicon executions list` shows flows and steps',
  },
  EXECUTION_NOT_IN_REVIEW: {
    means: 'the step does not wait for a person',
    why: 'a person settles only what the runtime cannot',
    fix: '`rubicon executions list --status MANUAL_REVIEW` shows those that do',
  },
  RESOLUTION_INVALID: {
    means: 'the outcome that a person gave cannot be recorded',
    why: 'it needs an outcome that fits the step or flow, evidence and a reason',
    fix: 'correct what the message names',
  },
  ESCALATION_CLAIMED: {
    means: 'somebody else has claimed this request',
    why: 'to take over a claim, name its holder; a claim does not prevent others from deciding',
    fix: 'decide it all the same, wait fifteen minutes, or take it over by naming its holder',
  },
  MONITOR_UNKNOWN: {
    means: 'no monitor has this name, or it does not watch this agent',
    why: 'thresholds in a contract are monitors that end with the contract',
    fix: '`rubicon monitors list` shows those in force',
  },
  MONITORS_FULL: {
    means: 'the limit of monitors is reached',
    why: 'each of them checks every execution',
    fix: 'withdraw one: `rubicon monitors withdraw NAME --reason TEXT`',
  },
  KEY_OWN: {
    means: 'the operator key would sign its own end',
    why: 'a key cannot declare its own compromise, and without an operator key nobody here could stop an agent',
    fix: 'register another operator key, and end this one with it, on the machine that has it',
  },
  KEY_EXISTS: {
    means: 'a key with this id is already registered',
    why: 'the id is computed from the key: it is the same key',
    fix: 'use it, or create another key',
  },
  KEY_UNKNOWN: {
    means: 'no key of this id is registered',
    why: 'the id is not one of those that `rubicon keys` lists',
    fix: '`rubicon keys` lists them',
  },
  KEY_CHANGE_UNFIT: {
    means: 'the key cannot be ended in this way',
    why: 'it has already ended, or the compromise would begin at an entry that does not exist yet',
    fix: '`rubicon keys` shows the state of each key; `--since` names an existing authority seq',
  },
  KEY_OF_RUNTIME: {
    means: 'the key is one of the runtime itself',
    why: 'it is changed on the machine itself, not with a token',
    fix: 'stop the server, and do it without `--server`',
  },
  PERSON_NAME: {
    means: 'this name is not allowed',
    why: 'it is the name of an agent, key or role, or has characters that are not allowed',
    fix: 'use another, such as an e-mail address',
  },
  PERSON_UNSIGNED: {
    means: 'a person cannot be registered without an operator key',
    why: 'an operator has to sign the registration',
    fix: 'register them where the operator key is: `rubicon person register NAME`',
  },
  PERSON_UNLINKED: {
    means: 'an operator unlinked this name, so it belongs to no person',
    why: 'if it were registered again automatically, one human could count as two persons',
    fix: 'have an operator link it: `rubicon person link`, or `rubicon person register`',
  },
  IDENTITY_OWN: {
    means: 'an operator cannot change their own identity',
    why: 'otherwise one person could approve under several names',
    fix: 'have another operator do it',
  },
  IDENTITY_LIMIT: {
    means: 'the person has reached the limit of names and logins',
    why: 'one person does not need more',
    fix: 'unlink one that is no longer used: `rubicon person unlink`',
  },
  TRAJECTORY_EXISTS: {
    means: 'a trajectory of this name already exists',
    why: 'a trajectory is never overwritten',
    fix: 'choose another name',
  },
  CHECKPOINT_UNKNOWN: {
    means: 'there is no checkpoint of this size',
    why: 'a proof leads from one signed checkpoint to a later one',
    fix: 'give the size of an earlier checkpoint',
  },
  QUERY_UNREADABLE: {
    means: 'the search cannot be understood',
    why: 'a guess could leave results out',
    fix: 'use the syntax in the message',
  },
  ENTRY_NO_DECISION: {
    means: 'the entry is not a decision',
    why: 'only decisions can be judged again',
    fix: 'choose one of `GET /v1/decisions`',
  },
  DECISION_NOT_AGAIN: {
    means: 'the decision cannot be judged again',
    why: 'what it was based on is erased, or was never recorded',
    fix: 'choose another',
  },
  DRAFT_TOO_COSTLY: {
    means: 'the draft takes too long to try',
    why: 'trying drafts takes time from decisions',
    fix: 'write shorter texts, fewer rules or patterns with fewer wildcards, or try fewer decisions',
  },
  PAST_TOO_LONG: {
    means: 'the query about past decisions takes too long',
    why: 'it takes time from decisions',
    fix: 'ask about fewer decisions, or about one agent',
  },
  NOTHING_TO_ACCEPT: {
    means: 'there is nothing to accept or to confirm',
    why: 'the ledger matches its signed head, and the clock is correct',
    fix: 'start the runtime; other findings of `rubicon verify` cannot be accepted',
  },
  MODEL_UNKNOWN: {
    means: 'the runtime has no such provider of models',
    why: 'agents ask models through the runtime, which holds the keys, and only those that it was given',
    fix: 'name one of `createRuntime({ models })`; the name may be left out where there is one',
  },
  MODEL_UNPRICED: {
    means: 'the model has no price, and usd is bounded',
    why: 'the most that a request can cost is reserved before it is sent, and cannot be computed',
    fix: 'give the provider of the model a price for it',
  },
  MODEL_RATE_LIMITED: {
    means: 'the provider of the model takes no more requests for now',
    why: 'there were too many requests; nothing was charged',
    fix: 'wait for `retry_after_ms`, and ask again',
  },
  MODEL_UNAVAILABLE: {
    means: 'the provider of the model could not be reached, or failed',
    why: 'the network or the provider; where `charged` is true, it may have counted the request',
    fix: 'ask again later, or another provider',
  },
  MODEL_REFUSED: {
    means: 'the provider of the model refused the request',
    why: 'the key, the model or a part of the request is not what it accepts',
    fix: 'look into the log of the provider; ask for something else',
  },
  MODEL_REPLY_INVALID: {
    means: 'the reply of the model cannot be read',
    why: 'it is not of the published form, ended early, or holds the key that was sent',
    fix: 'ask again, or another model; what came is kept with the flow',
  },
  MODEL_REPLY_TOO_LONG: {
    means: 'the reply of the model is too long',
    why: 'replies have a limit, in bytes',
    fix: 'ask for less',
  },
  MODEL_TIMEOUT: {
    means: 'the model did not answer in time',
    why: 'it took too long, or the caller stopped waiting; the request may be charged',
    fix: 'ask for less, or again later',
  },
  GENERATION_UNKNOWN: {
    means: 'the flow has no such request to a model',
    why: 'the id is that of another flow, or the flow was erased',
    fix: 'take it from an `evidence` entry of source `model` of the flow',
  },
  GENERATIONS_FULL: {
    means: 'the flow has reached its limit of requests to models',
    why: 'there is a limit in all, and one of those that wait for an answer',
    fix: 'wait for an answer, or propose',
  },
}

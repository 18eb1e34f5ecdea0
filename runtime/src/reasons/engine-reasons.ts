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
}

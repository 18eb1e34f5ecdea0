/** Codes of the agent SDK: why a connection or the run of a model came to its end. They stand in no record. */
import type { EngineReason } from './engine-reasons.ts'

export const AGENT_REASONS: Readonly<Record<string, EngineReason>> = {
  CONNECTION_ENDED: {
    means: 'the agent has ended its connection',
    why: 'after `close()`, or once the agent is retired, nothing is sent any more',
    fix: 'connect again',
  },
  NO_TOOL_CALL: {
    means: 'the model called no tool',
    why: 'text is not a proposal; a model that twice makes no call is stopped',
    fix: 'say in the instructions which tools to use, or choose a model that calls tools',
  },
  ROUNDS_EXHAUSTED: {
    means: 'the model has made the maximum number of replies without an end',
    why: 'every run ends: `rounds` says after how many replies',
    fix: 'look at the calls of the run for what it kept trying; raise `rounds` where the job needs more',
  },
  TOKENS_EXHAUSTED: {
    means: 'one more reply could use more tokens than the run may',
    why: 'every run ends: `tokens` bounds what it uses',
    fix: 'raise `tokens`, or lower `maxTokens` of a reply',
  },
  MODEL_FAILED: {
    means: 'the model of the agent threw an error',
    why: 'it is code of the agent, and says itself what went wrong',
    fix: 'read the summary of the run; ask again where the failure was of the moment',
  },
}

/** What moved since the agent looked. */
export type { JitField } from './envelope.ts'
export { resolveJitFields } from './fields.ts'

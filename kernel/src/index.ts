/**
 * The law, as others import it: everything that a folder has for other packages, named in its own `index.ts`.
 * Whoever needs one folder imports that alone, as `rubicon-kernel/contract`.
 */

export { assert, assertUnreachable } from './assert.ts'
export * from './canonical/index.ts'
export * from './compile/index.ts'
export * from './context/index.ts'
export * from './contract/index.ts'
export * from './escalation/index.ts'
export * from './execution/index.ts'
export * from './fact/index.ts'
export * from './flow/index.ts'
export * from './jit/index.ts'
export * from './keys/index.ts'
export * from './ledger/index.ts'
export { LIMITS } from './limits.ts'
export * from './monitor/index.ts'
export * from './person/index.ts'
export * from './policy/index.ts'
export * from './proof/index.ts'
export * from './proposal/index.ts'
export { isReasonCode, REASON_CODES, REASONS, type Reason, type ReasonCode } from './reason.ts'
export { err, type Failure, ok, type Result } from './result.ts'
export * from './saga/index.ts'
export * from './world/index.ts'
export * from './writ/index.ts'

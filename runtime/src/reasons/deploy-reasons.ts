/** Why what somebody wrote is not put in force over what others did meanwhile. */
import type { EngineReason } from './engine-reasons.ts'

export const DEPLOY_REASONS: Readonly<Record<string, EngineReason>> = {
  CONTRACT_REPLACED: {
    means: 'the contract that this one was written against is no longer the newest',
    why: 'somebody deployed or revoked a version meanwhile, and nobody has seen what this one would undo',
    fix: 'read the newest version, take over what changed, and deploy again naming it',
  },
  MONITOR_REPLACED: {
    means: 'the monitor that this one was written against is no longer in force',
    why: 'somebody deployed or withdrew it meanwhile, and nobody has seen what this one would undo',
    fix: 'read the one in force, take over what changed, and deploy again naming it',
  },
}

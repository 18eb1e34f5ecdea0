/** Why what somebody wrote is not put in force over what others did meanwhile. */
import type { EngineReason } from './engine-reasons.ts'

export const DEPLOY_REASONS: Readonly<Record<string, EngineReason>> = {
  CONTRACT_REPLACED: {
    means: 'the contract that this one was written against is no longer the newest',
    why: 'a version was deployed or revoked meanwhile, and this one could undo a change that you have not seen',
    fix: 'read the newest version, take over what changed, and deploy again naming it',
  },
  MONITOR_REPLACED: {
    means: 'the monitor that this one was written against is no longer in force',
    why: 'it was deployed or withdrawn meanwhile, and this one could undo a change that you have not seen',
    fix: 'read the one in force, take over what changed, and deploy again naming it',
  },
}

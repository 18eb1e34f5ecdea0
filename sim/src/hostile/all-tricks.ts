/** Every trick, in the order of their goals. */
import type { Trick } from './trick.ts'
import { ACT_TRICKS } from './tricks/acts.ts'
import { ADDRESS_TRICKS } from './tricks/addresses.ts'
import { APPROVAL_TRICKS } from './tricks/approvals.ts'
import { CALL_TRICKS } from './tricks/calls.ts'
import { CONTEXT_TRICKS } from './tricks/contexts.ts'
import { CONTRACT_TRICKS } from './tricks/contract.ts'
import { DATA_TRICKS } from './tricks/data.ts'
import { DOOR_TRICKS } from './tricks/doors.ts'
import { FACT_TRICKS } from './tricks/facts.ts'
import { FLOW_TRICKS } from './tricks/flows.ts'
import { FOUND_TRICKS } from './tricks/found.ts'
import { HOLDING_TRICKS } from './tricks/holding.ts'
import { INSTANCE_TRICKS } from './tricks/instances.ts'
import { KEEPING_TRICKS } from './tricks/keeping.ts'
import { KEY_TRICKS } from './tricks/keys.ts'
import { LOAD_TRICKS } from './tricks/load.ts'
import { OUTLIVING_TRICKS } from './tricks/outliving.ts'
import { PAGE_TRICKS } from './tricks/pages.ts'
import { PEOPLE_TRICKS } from './tricks/people.ts'
import { PROCESS_TRICKS } from './tricks/process.ts'
import { RULE_TRICKS } from './tricks/rules.ts'
import { SERVER_TRICKS } from './tricks/servers.ts'
import { SOURCE_TRICKS } from './tricks/sources.ts'
import { STEP_TRICKS } from './tricks/steps.ts'
import { TELLING_TRICKS } from './tricks/telling.ts'
import { TIME_TRICKS } from './tricks/time.ts'
import { WAKING_TRICKS } from './tricks/waking.ts'

export const TRICKS: readonly Trick[] = [
  ...FACT_TRICKS,
  ...SOURCE_TRICKS,
  ...CONTRACT_TRICKS,
  ...STEP_TRICKS,
  ...TIME_TRICKS,
  ...FLOW_TRICKS,
  ...INSTANCE_TRICKS,
  ...DATA_TRICKS,
  ...KEEPING_TRICKS,
  ...PEOPLE_TRICKS,
  ...PROCESS_TRICKS,
  ...DOOR_TRICKS,
  ...SERVER_TRICKS,
  ...ADDRESS_TRICKS,
  ...ACT_TRICKS,
  ...CALL_TRICKS,
  ...LOAD_TRICKS,
  ...HOLDING_TRICKS,
  ...OUTLIVING_TRICKS,
  ...PAGE_TRICKS,
  ...RULE_TRICKS,
  ...APPROVAL_TRICKS,
  ...KEY_TRICKS,
  ...CONTEXT_TRICKS,
  ...TELLING_TRICKS,
  ...FOUND_TRICKS,
  ...WAKING_TRICKS,
]

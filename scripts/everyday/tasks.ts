/** Every everyday task, in the order in which they are done: each finds the demo company as the ones before left it. */
import { CHANGE_TASKS, STOP_TASKS } from './change-tasks.ts'
import { DECIDE_TASKS } from './decide-tasks.ts'
import { FIND_TASKS, PROOF_TASKS } from './find-tasks.ts'
import type { EverydayTask } from './task.ts'

export const EVERYDAY_TASKS: readonly EverydayTask[] = [
  ...FIND_TASKS,
  ...DECIDE_TASKS,
  ...CHANGE_TASKS,
  ...STOP_TASKS,
  ...PROOF_TASKS,
]

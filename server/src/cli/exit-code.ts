/** How a command ended. Scripts rely on these numbers. */
export const EXIT = { done: 0, bug: 1, couldNotRun: 2, declined: 3, findings: 4 } as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

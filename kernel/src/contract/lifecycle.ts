/** The life of an agent. Who may move it where is in `lifecycle-machine.ts`. */
export type AgentStatus = 'INITIALIZING' | 'ACTIVE' | 'SUSPENDED' | 'RETIRED'
export type LifecycleActor = 'registry' | 'runtime' | 'operator' | 'agent'

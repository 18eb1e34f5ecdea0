/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export { type ExecutorProblem, findExecutorProblems } from './check-executors.ts'
export { parseToolsConfig, readToolsConfig, type ToolsConfig } from './config.ts'
export { createManifestHands, type ToolAllowances } from './create-hands.ts'
export { openAllowances } from './open-secrets.ts'

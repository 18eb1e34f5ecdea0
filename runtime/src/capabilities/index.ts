/** For the packages of this repository: what they use of this folder. No promise to anybody else. */
export { toCapability } from './from-manifest.ts'
export { registerCapability } from './register.ts'
export { compileSchema, type Validate } from './schema.ts'
export { hasSchemaPlace } from './schema-places.ts'
export { findToolProblem } from './tool-problem.ts'

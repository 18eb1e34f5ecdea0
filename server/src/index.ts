/** A runtime behind its server: what a team imports beside the runtime. */

export { type ServedTenant, type ServeOptions, type Serving, serve } from './http/serve.ts'
export { issueToken } from './people/issue-token.ts'

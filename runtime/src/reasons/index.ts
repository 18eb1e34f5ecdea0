/** For the packages of this repository: what they use of this folder. No promise to anybody else. */

export { AGENT_REASONS } from './agent-reasons.ts'
export { COMMAND_REASONS } from './command-reasons.ts'
export { ENGINE_REASONS, type EngineReason } from './engine-reasons.ts'
export { explain, findNearestCode, type ReasonExample } from './explain.ts'
export { GRAMMAR_REASONS } from './grammar-reasons.ts'
export { MCP_REASONS } from './mcp-reasons.ts'
export { findNearest } from './nearest.ts'
export { getReasonPlace } from './places.ts'
export { REVIEW_REASONS } from './review-reasons.ts'
export { START_REASONS } from './start-reasons.ts'
export { TOOL_REASONS } from './tool-reasons.ts'

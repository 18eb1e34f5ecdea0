/**
 * What payloads of flows have in common: their member names in canonical order, and words of the protocol.
 * Values are left out, so that nothing of any flow is in here and an erasure has nothing to look for.
 *
 * Stored payloads name the dictionary that they were packed against: one that was released is never changed.
 * A new one gets the next number, and a migration that puts it beside the others. What payloads have most
 * often stands last, where it is found first.
 */
const OPENING =
  '{"flow":{"agent_id":"","contract":{"hash":"sha256:","seq":1},"dfid":"","parent_dfid":"","snapshot":{"agent_id":"","budget":{"tokens":8000,"used":' +
  '"external":true,"irreversible":false,"read":true,"write":true},"parent":"sha256:","scopes":[{"kind":"SPAWN_CHILD"}' +
  '"kind":"telemetry","label":"trusted","observed_at":"20","path":"","source_id":"","value":"","version":""}],"world":[{"id":"","kind":"","version":1}' +
  '","outcome":"EXHAUSTED","policy_kind":"","reason_code":"LIMIT_EXCEEDED","said":"sha256:","summary":"a limit of the contract is exceeded","tokens":' +
  '","outcome":"ESCALATED","policy_kind":"","reason_code":"AUTHORITY_CEILING","said":"sha256:","summary":"a limit is exceeded, and the contract lets a person approve that","tokens":' +
  '","outcome":"FAILED","policy_kind":"","reason_code":"EFFECT_FAILED","said":"sha256:","summary":"the effect failed and was not applied","tokens":' +
  '","outcome":"REJECTED","policy_kind":"","reason_code":"LIMIT_EXCEEDED","said":"sha256:","summary":"a limit of the contract is exceeded","tokens":' +
  '{"flow":{"agent_id":"","contract":{"hash":"sha256:","seq":1},"dfid":"","snapshot":{"agent_id":"","budget":{"tokens":8000,"used":0},"contract_hash":"sha256:","dfid":"' +
  '","memory":[{"at":"20","attempt":1,"dfid":"","outcome":"SUCCESS","policy_kind":"","reason_code":null,"said":"sha256:","summary":"it was carried out","tokens":41},{"at":"2026-' +
  '","tokens":42}],"mission_context_hash":"sha256:","policy_kinds":[""],"schema_version":"1.0","state":[],"trigger":"","world":[]},"snapshot_id":"sha256:' +
  '","steps":"many","steps":"one","trigger":""},"salt":"=","writ":{"body":{"audience":"rubicon","budget":{"calls":""},"delegation":{"max_depth":2,"may_delegate":true}' +
  ',"effect_ceiling":{"external":true,"irreversible":true,"read":true,"write":true},"issuer_key":"issuer-","nonce":"","scopes":[{"kind":""}],"subject":"","subject_key":"issuer-' +
  '","tenant":"default","window":{"expires_at":"20","not_before":"20"}},"id":"sha256:","signature":{"key_id":"issuer-","sig":"=="}}}'

const TRACE =
  '"trace":[{"read":["auth","claim","flow","approval","attempt"],"said":"pass","stage":"repeat"},{"read":["rules_hash","capability","in_force"],"said":"pass","stage":"kind"},' +
  '{"read":["auth","writs"],"said":"pass","stage":"signature"},{"read":["now","writs","contract","approval"],"said":"pass","stage":"window"},' +
  '{"read":["agent","contract","flow","writs","tenant","audience"],"said":"pass","stage":"scope"},{"read":["capability","writs"],"said":"pass","stage":"capability"},' +
  '{"read":["budgets","agent_window"],"said":"pass","stage":"budget"},{"read":["state"],"said":"pass","stage":"arguments"},{"measures":{"":""},' +
  '"read":["now","flow","approval","contract","writs","budgets","agent_window","state","world","saga"],"said":"pass","stage":"preconditions"},' +
  '{"policies":[{"decision":{"kind":"permit"},"name":"","version":"1"}],"policies":[],"read":["contract","writs","state","world"],"said":"pass","stage":"policy"}]}'

const JUDGEMENT =
  '{"approver":"","binds":"sha256:","decided_at":"20","decision":"OVERRIDE","decisions":1,"impact":"LOW_IMPACT","lifts":["limit:"],"past":{"largest":"","of_kind":1,"successes":1},' +
  '"request_id":":1","rules_hash":"sha256:","valid_until":"20"},"details":{"checked":"","limit":"","max":"","min":"0","value":""},"ended_flow":"REASONING_EXHAUSTION","gate":2,' +
  '"reason_code":"LIMIT_EXCEEDED","stage":"preconditions","refusals":[{"code":"LIMIT_EXCEEDED","details":{"checked":"' +
  '"request":{"acknowledge":"","agent_id":"","approvers":[],"attempt":1,"channel":"operator","dfid":"","expires_at":"20","exposure":{"measure":"","threshold":"","value":""},' +
  '"facts_digest":"sha256:","id":":1","impact":"HIGH_IMPACT","impact_reasons":["exposure"],"intent_digest":"sha256:","kind":"proposal","needs":1,"not_before":"20",' +
  '"past":{"largest":null,"of_kind":0,"successes":0},"persons":{"approvers":[],"owner":"p_"},"proposal_hash":"sha256:","queue":"exception","reason_code":"AUTHORITY_CEILING",' +
  '"requested_at":"20","reversible":true,"rules_hash":"sha256:","shown_snapshot":"sha256:","step_id":"step-1","triggers":[{"channel":"operator","code":"AUTHORITY_CEILING",' +
  '"details":{"checked":"","limit":"","max":"","min":"0","value":""},"id":"limit:"}]},"said":"suspend","said":"reject","accepted":{"seq":1,"trajectory":"main"},' +
  '{"attempt":1,"facts":{"agent":{"maintenance":false,"status":"ACTIVE"},"agent_window":null,"approval":null,"attempt":1,"audience":"rubicon","auth":{"agent_id":"",' +
  '"key":null,"kind":"session"},"authority_seq":1,"budgets":[{"granted":"","measure":"calls","used":"0","writ":"sha256:"}],"capability":{"hash":"sha256:","kind":""},"claim":null,' +
  '"contract":{"hash":"sha256:","mission_hash":"sha256:","revoked":false,"seq":1},"flow":{"agent_id":"","dfid":"","rejections":0,"revoked_writ":null,"snapshot_at":"20",' +
  '"snapshot_id":"sha256:","state":"ACTIVE","trajectory":"main","transient_rejections":0},"in_force":{"capability":["sha256:"],"rules":["sha256:"]},"now":"20",' +
  '"rules_hash":"sha256:","seen":[],"state":[],"tenant":"default","world":[],"writs":[{"id":"sha256:","nonce":"","revoked":false,"signature":{"key_id":"issuer-",' +
  '"purpose":"issuer","subject":"rubicon","valid":true}}]},"facts_hash":"sha256:","filled":["agent_id","dfid","mission_context_hash"],"intent":{"agent_id":"","attempt":1,' +
  '"capability":"@1","capability_hash":"sha256:","compiler_version":"rubicon-kernel/0.2.0","constraints":{},"contract_hash":"sha256:","cost":{"calls":"1"},"dfid":"",' +
  '"dispatch_before":"20","facts_hash":"sha256:","idempotency_key":"","intent_id":"sha256:","kernel_signature":{"key_id":"kernel-","sig":"=="},"params":{"":""},' +
  '"params_fingerprint":"","policy_kind":"","policy_trace_hash":"sha256:","proposal_hash":"sha256:","resources":[],"rules_hash":"sha256:","snapshot_id":"sha256:","staged_at":"20",' +
  '"step_id":"step-1","tenant":"default","trajectory":"main","writ_id":"sha256:"},"jit":{"at":"20","state":[],"world":[]},"proposal":{"agent_id":"","confidence":"0.","context_ref":"sha256:",' +
  '"dfid":"","justification":"","mission_context_hash":"sha256:","params":{"":""},"policy_kind":""},"received":"","salt":"==","send":1,' +
  TRACE

const OUTCOME =
  '{"child_agent":"","child_dfid":"","child_trajectory":"main","opened_by":{"kind":"runtime"},"parent_dfid":"","salt":"==","writ_id":"sha256:"}' +
  '{"details":{"detail":"","hash":"","label":"external","patterns":[""],"where":""},"finding":"","salt":"==","source":"","reason_code":"EFFECT_FAILED","status":"FAILED"}' +
  '{"body":{"acknowledged_impact":"LOW_IMPACT","acknowledgement":"","approver":"","decision":"OVERRIDE","dfid":"","intent_digest":"sha256:","justification":"","lifts":["limit:"],' +
  '"person":"p_","request_id":":1","shown_snapshot":"sha256:","valid_until":"20"},"releases":"sha256:","salt":"==","signature":{"key_id":"operator-","sig":"=="},"vouched_by":"operator"}' +
  '{"compiler_version":"rubicon-kernel/0.2.0","cost":{"calls":"1"},"delta":[{"id":"","kind":"","op":"create","value":{"":""}}],"facts_hash":"sha256:","intent_id":"sha256:",' +
  '"inverse":[{"expected_version":1,"id":"","kind":"","op":"retract"}],"observations":[{"":""}],"policy_trace_hash":"sha256:","proposal_hash":"sha256:","receipt":"",' +
  '"rules_hash":"sha256:","salt":"==","settled_by":"answer","world_after":"","writ_id":"sha256:"}'

export type Dictionary = { readonly number: number; readonly text: string }

export const DICTIONARIES: readonly Dictionary[] = [
  { number: 1, text: OPENING },
  { number: 2, text: JUDGEMENT },
  { number: 3, text: OUTCOME },
]

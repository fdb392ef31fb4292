/**
 * Tokens that their own beginning tells, a line each: id, grammar (`grammar.ts`), where it was published (a word for gitleaks,
 * trufflehog, secretlint, github; else the page), and options: `alone` (not behind `-`, `_`, `.` either), `bits=` (least entropy a
 * character), `crc32` (it ends in a checksum, `checksums.ts`).
 */
export const TOKENS = `
# Clouds, hosts, networks, databases, stores of secrets
AGE-KEY AGE-SECRET-KEY-1{K58} github.com/C2SP/C2SP/blob/main/age.md
AGE-KEY AGE-SECRET-KEY-PQ-1{K60,} github.com/C2SP/C2SP/blob/main/age.md
ALIBABA-ACCESS-KEY LTAI{n20} gitleaks alone bits=3
AWS-ACCESS-KEY A3T{K17} docs.aws.amazon.com/IAM bits=2.5
AWS-ACCESS-KEY {AKIA|ASIA|ABIA|ACCA}{K16} docs.aws.amazon.com/IAM bits=2.5
AWS-BEDROCK-KEY ABSK{e60,} docs.aws.amazon.com/bedrock alone bits=4
AWS-BEDROCK-KEY bedrock-api-key-{e20,} docs.aws.amazon.com/IAM
AWS-ECR-PASSWORD {eyJwYXlsb2FkIjoi|QVdTOmV5SndZWGxzYjJGa0lqb2}{e60,} docs.aws.amazon.com/AmazonECR
AWS-SESSION-TOKEN {FwoGZXIvYXdz|IQoJb3JpZ2luX2Vj}{e60,} trufflehog
BACKBLAZE-KEY K00{d1}{e27} www.backblaze.com/docs alone bits=3.5
CLICKHOUSE-KEY 4b1d{n38} gitleaks alone bits=3.5
CLOUDFLARE-ORIGIN-KEY v1.0-{h24}-{h146} developers.cloudflare.com/fundamentals
COCKROACH-KEY CCDB1_{n22}_{n40} www.cockroachlabs.com/docs
DATABRICKS-TOKEN dapi{h32} docs.databricks.com/aws alone bits=3
DBT-TOKEN dbt{u|c}_{w40,} docs.getdbt.com/docs
DEFINED-KEY dnkey-{w26}-{w52} gitleaks
DENO-DEPLOY-TOKEN dd{p|o|w}_{n36,} docs.deno.com/deploy/
DIGITALOCEAN-SPACES-KEY DO00{K16} trufflehog alone bits=2.8
DIGITALOCEAN-TOKEN {dop|doo|dor}_v1_{x64} docs.digitalocean.com/reference
DOPPLER-TOKEN dp.st.{n40,} docs.doppler.com/reference
DOPPLER-TOKEN dp.st.{w1,60}.{n40,} docs.doppler.com/reference
DOPPLER-TOKEN dp.{pt|ct|sa|said|scim|audit}.{n40,} docs.doppler.com/reference
ELASTIC-CLOUD-KEY essu_{e40,} github
FLY-TOKEN fo1_{w43,} gitleaks
FLY-TOKEN {fm1a|fm1r|fm2}_{e80,} fly.io/docs/security/tokens/
GOOGLE-API-KEY AIza{w35} cloud.google.com/docs alone
GOOGLE-HMAC-KEY GOOG1E{K55} cloud.google.com/storage
GOOGLE-OAUTH GOCSPX-{w28,} trufflehog
GOOGLE-OAUTH ya29.{c20,} developers.google.com/identity
HEROKU-KEY HRKU-{w30,} devcenter.heroku.com/articles/authentication
INFISICAL-TOKEN st.{h24}.{h32}.{h32} trufflehog
MONGODB-ATLAS-SECRET mdb_sa_sk_{w40,} www.mongodb.com/docs
NEON-KEY napi_{k60,} neon.com/docs/manage/api-keys
NETLIFY-TOKEN nf{p|c|u|o|b}_{n32,} docs.netlify.com/api/get-started/
ONEPASSWORD-SECRET-KEY A3-{K6}-{K11}-{K5}-{K5}-{K5} gitleaks alone
ONEPASSWORD-SECRET-KEY A3-{K6}-{K6}-{K5}-{K5}-{K5}-{K5} support.1password.com/secret-key-security/ alone
ONEPASSWORD-TOKEN ops_eyJ{e100,} developer.1password.com/docs
PLANETSCALE-TOKEN pscale_{tkn|oauth|pw}_{c32,} planetscale.com/docs/concepts/service-tokens
RENDER-KEY rnd_{n28,} render.com/docs/api
SCALINGO-TOKEN tk-us-{w48,} gitleaks
SUPABASE-KEY sb_secret_{w20,} supabase.com/docs/guides/api/api-keys
SUPABASE-KEY sbp_oauth_{h40} supabase.com/docs/guides/platform/oauth-apps
SUPABASE-KEY sbp_{h40} github
TAILSCALE-KEY tskey-{a3,12}-{w16,} tailscale.com/kb/1277/key-prefix
TENCENT-SECRET-ID AKID{n32} github alone bits=3.3
TURNSTILE-SECRET 0x4AAAAAAA{w27,} developers.cloudflare.com/turnstile/ alone
VAULT-TOKEN hv{s|b|r}.{w24,} developer.hashicorp.com/vault bits=3
VERCEL-TOKEN vc{p|i|a|r|k}_{n24,} secretlint bits=3
YANDEX-API-KEY AQVN{w35,38} gitleaks alone bits=3.5
YANDEX-IAM-TOKEN t1.{c1,400}.{w86} yandex.cloud/en
YANDEX-OAUTH y0_{w50,} yandex.ru/dev/id/doc/en/
YANDEX-STATIC-KEY YC{w38} gitleaks alone bits=3.8
# Where code is kept, built, tested and published
ARTIFACTORY-KEY AKCp{n69,} gitleaks alone bits=4
ARTIFACTORY-TOKEN cmVmd{n59,} gitleaks alone bits=4
ATLASSIAN-TOKEN ATATT3{c60,} gitleaks
ATLASSIAN-TOKEN ATOA{c60,} github alone bits=4
BITBUCKET-TOKEN ATBB{n24,} github alone bits=3
BITBUCKET-TOKEN ATCTT3xFf{c60,} github
BUILDKITE-TOKEN bk{ua|at|pt|ct|pi|ps|art|aj}_{w32,} github
CHROMATIC-TOKEN chpt_{h15,} www.chromatic.com/docs/setup/
CIRCLECI-TOKEN CCI{PAT|PRJ}_{n22}_{h40} circleci.com/docs/managing-api-tokens/
CLOJARS-TOKEN CLOJARS_{n60,} gitleaks
CRATES-IO-TOKEN cio{n32} trufflehog alone bits=3.5
CURSOR-KEY crsr_{h64} cursor.com/docs/api
DOCKER-TOKEN dckr_{pat|oat}_{w27,} docs.docker.com/security/access-tokens/
GITHUB-TOKEN github_pat_{w36,} github.blog/engineering
GITHUB-TOKEN {ghp|gho|ghu|ghs|ghr}_{n36,} github.blog/engineering crc32
GITLAB-TOKEN GR1348941{w20,} gitleaks
GITLAB-TOKEN glcbt-{n1,5}_{w20,} docs.gitlab.com/security
GITLAB-TOKEN {glpat|gldt|glrt|glrtr|glft|glffct|glimt|glsoat|glagent|gloas|glptt|glwt}-{c20,} docs.gitlab.com/security
HARNESS-TOKEN {pat|sat}.{w22}.{n24}.{n20} gitleaks
INFRACOST-KEY ico-{n32} gitleaks alone bits=3
INTRA42-SECRET s-s4t2{ud|af}-{h64} gitleaks
LICHESS-TOKEN {lip|lio}_{n20,} github bits=3
NPM-TOKEN npm_{n36,} github.blog/changelog crc32
NUGET-KEY oy2{k43} github alone bits=3.3
OCTOPUS-KEY API-{K26,} gitleaks alone bits=3
PACKAGIST-TOKEN packagist_{a2,8}_{h40,} github
POSTMAN-COLLECTION-KEY PMAT-{K26} github
POSTMAN-KEY PMAK-{x24}-{x34} learning.postman.com/docs
PREFECT-KEY {pnu|pnb}_{n36} gitleaks
PULUMI-TOKEN pul-{h40} gitleaks
PYPI-TOKEN pypi-{AgEIcHlwaS5vcmc|AgENdGVzdC5weXBpLm9yZw}{w50,} pypi.org/help/#apitoken
README-KEY rdme_{k70} gitleaks
RUBYGEMS-KEY rubygems_{h48} guides.rubygems.org/api-key-scopes/
SNYK-TOKEN snyk_{uat|sat|oat}.{h8}.{w20,} github
SONAR-TOKEN {sqp|squ|sqa|sqb}_{h40} docs.sonarsource.com/sonarqube-server
SOURCEGRAPH-TOKEN sgp_local_{x40} gitleaks
SOURCEGRAPH-TOKEN sgp_{x16,40}_{x40} sourcegraph.com/docs
SOURCEGRAPH-TOKEN sgp_{x40} gitleaks
SOURCEGRAPH-TOKEN {slk|sgd}_{h64} trufflehog
TRELLO-TOKEN ATTA{h64,} developer.atlassian.com/cloud/trello/
UNKEY-KEY unkey_{n22,} www.unkey.com/docs bits=3
WAKATIME-KEY waka_{u} wakatime.com/developers
# Models, payments, messages
ALCHEMY-KEY g.alchemy.com/v2/{w32} www.alchemy.com/docs/create-an-api-key
ANTHROPIC-KEY sk-ant-{w40,} docs.anthropic.com/en/api/getting-started
BREVO-KEY {xkeysib|xsmtpsib}-{h64}-{n16} developers.brevo.com/docs/getting-started
BROWSERBASE-KEY bb_{live|test}_{w24,} docs.browserbase.com
CEREBRAS-KEY csk-{k40,} inference-docs.cerebras.ai
CLICKUP-TOKEN pk_{d6,9}_{K32} developer.clickup.com/docs/authentication
DAYTONA-KEY dtn_{h64} www.daytona.io/docs
DUFFEL-TOKEN duffel_{live|test}_{w43,} duffel.com/docs/api/overview/authentication
E2B-KEY e2b_{h40} e2b.dev/docs/api-key
EASYPOST-KEY EZ{A|T}K{n54} docs.easypost.com/docs/authentication alone bits=3.5
ELEVENLABS-KEY sk_{h48} elevenlabs.io/docs alone
FACEBOOK-TOKEN EAA{n100,} developers.facebook.com/docs alone bits=4
FIRECRAWL-KEY fc-{h32} docs.firecrawl.dev
FIREWORKS-KEY fw_{n22,} docs.fireworks.ai bits=3.3
FLUTTERWAVE-KEY FLWSECK{_TEST|}-{n12} developer.flutterwave.com/docs alone
FLUTTERWAVE-KEY FLWSECK{_TEST|}-{n32}-X gitleaks
GROQ-KEY gsk_{n40,} console.groq.com/docs/quickstart
HELICONE-KEY sk-helicone-{w20,} docs.helicone.ai
HUBSPOT-TOKEN pat-{na1|na2|na3|eu1|ap1}-{u} developers.hubspot.com/docs
HUGGINGFACE-TOKEN api_org_{n34,} gitleaks
HUGGINGFACE-TOKEN hf_{n30,} huggingface.co/docs/hub/security-tokens
INFURA-KEY infura.io/v3/{h32} docs.metamask.io/services
INSTAGRAM-TOKEN IG{QV|QW|AA}{n100,} developers.facebook.com/docs alone bits=4
INTERCOM-TOKEN dG9rO{e50,} developers.intercom.com/docs alone
JINA-KEY jina_{n50,} jina.ai/embeddings/
LANGFUSE-KEY sk-lf-{u} langfuse.com/docs
LANGSMITH-KEY lsv2_{pt|sk}_{h32}_{h10} docs.smith.langchain.com
LINEAR-KEY lin_{api|oauth|wh}_{n32,} linear.app/developers/graphql
LINKEDIN-SECRET WPL_AP{d1}.{n16}.{e6,10} learn.microsoft.com/en-us
MAILGUN-KEY key-{h32} documentation.mailgun.com alone bits=3
MANDRILL-KEY md-{w22} mailchimp.com/developer/transactional/docs/ alone bits=3.8
MAPBOX-TOKEN sk.eyJ{w60,400}.{w22,} docs.mapbox.com/accounts/guides/tokens/
MEM0-KEY m0-{n40} docs.mem0.ai alone
NOTION-TOKEN ntn_{n40,} developers.notion.com/docs/authorization
NOTION-TOKEN secret_{n43} developers.notion.com/docs/authorization bits=3.5
NVIDIA-KEY nvapi-{w60,} docs.api.nvidia.com
OPENAI-KEY sk-{n32,} platform.openai.com/docs
OPENAI-KEY sk-{proj|svcacct|service|admin|None}-{w32,} platform.openai.com/docs
OPENROUTER-KEY sk-or-v1-{w32,} openrouter.ai/docs
PADDLE-KEY pdl_{live|sdbx|ntfset}_{w26,} developer.paddle.com/api-reference
PERPLEXITY-KEY pplx-{n40,} docs.perplexity.ai
PINECONE-KEY pcsk_{w50,} docs.pinecone.io/guides
PLAID-TOKEN access-{sandbox|development|production}-{u} plaid.com/docs/api/tokens/
POLAR-TOKEN polar_{oat|pat|rt|at}_{w32,} polar.sh/docs
PRIVY-SECRET privy_app_secret_{w40,} docs.privy.io
QUICKNODE-KEY quiknode.pro/{h40} www.quicknode.com/docs
REPLICATE-TOKEN r8_{n37,} replicate.com/docs/reference/http
RESEND-KEY re_{n8}_{n24} resend.com/docs/api-reference/introduction
RUNPOD-KEY rpa_{n40,} docs.runpod.io/get-started/api-keys
SALESFORCE-TOKEN 00D{n12,15}!{c60,} trufflehog
SENDGRID-KEY SG.{c66} www.twilio.com/docs
SHIPPO-TOKEN shippo_{live|test}_{x40} docs.goshippo.com/docs
SHOPIFY-TOKEN {shpat|shpca|shppa|shpss|shpua|shptka|shpit}_{x32} shopify.dev/docs
SQUARE-TOKEN EAAA{w22,} gitleaks alone bits=4
SQUARE-TOKEN sq0{atp|csp}-{w22,} developer.squareup.com/docs
STRIPE-KEY {sk|rk}_org_{live|test}_{n16,} docs.stripe.com/keys bits=3
STRIPE-KEY {sk|rk}_{live|test|prod}_{n10,} docs.stripe.com/keys bits=3
TAVILY-KEY tvly-{w24,} docs.tavily.com bits=3
TELNYX-KEY KEY{K32}_{n22} developers.telnyx.com alone
TOGETHER-KEY tgp_v1_{w40,} docs.together.ai
TWILIO-KEY SK{x32} www.twilio.com/docs/iam/api-keys alone bits=3
TYPEFORM-TOKEN tfp_{c40,} gitleaks
VOYAGE-KEY pa-{w43} docs.voyageai.com alone bits=4
WANDB-KEY wandb_v1_{w40,} docs.wandb.ai
WEBHOOK-SECRET whsec_{e24,} docs.svix.com/receiving bits=3
XAI-KEY xai-{n70,} docs.x.ai
XENDIT-KEY xnd_{development|production}_{n40,} docs.xendit.co
# What people work and plan with, and what watches it
AIRTABLE-TOKEN pat{n14}.{h64} airtable.com/developers
AUTHRESS-KEY {sc|ext|scauth|authress}_{k5,30}.{k4,6}.acc{_|-}{w10,32}.{e30,} authress.io/knowledge-base/
AXIOM-TOKEN xa{a|p|i}t-{u} axiom.co/docs/reference/tokens
CONTENTFUL-TOKEN CFPAT-{w40,} www.contentful.com/developers
DROPBOX-TOKEN sl.{c130,} developers.dropbox.com/oauth-guide alone bits=4
DYNATRACE-TOKEN dt0{c01|s01|s02|s16}.{n8,24}.{n64} docs.dynatrace.com/docs
FIGMA-TOKEN fig{d|o|u|or|ou}_{w36,} developers.figma.com/docs
FRAMEIO-TOKEN fio-u-{c64,} gitleaks
GRAFANA-TOKEN eyJrIjoi{e70,} gitleaks alone
GRAFANA-TOKEN glc_{e32,} grafana.com/docs
GRAFANA-TOKEN glsa_{n32}_{x8} grafana.com/docs
HONEYCOMB-KEY hc{a|b|c|x}{ik|lk|mk}_{k32,} docs.honeycomb.io/configure
INNGEST-KEY signkey-{prod|test|branch}-{h32,} www.inngest.com/docs
KLAVIYO-KEY pk_{h34} developers.klaviyo.com alone
KNOCK-KEY sk_knock_{w32,} docs.knock.app
LAUNCHDARKLY-KEY {sdk|api|rel}-{u} launchdarkly.com/docs/home/account/api alone
LIVEBLOCKS-KEY sk_{dev|prod}_{w40,} liveblocks.io/docs/authentication
NEWRELIC-KEY NRJS-{h19} docs.newrelic.com/docs
NEWRELIC-KEY {NRAK|NRII|NRIQ|NRRA|NRAA|NRSP}-{w27,} docs.newrelic.com/docs
ONESIGNAL-KEY os_v2_{app|org}_{k90,} documentation.onesignal.com/docs
PERSONA-KEY persona_{production|sandbox}_{u} docs.withpersona.com
POSTHOG-KEY ph{x|s}_{n40,} posthog.com/docs/api
PUBNUB-SECRET sec-c-{w36,} www.pubnub.com/docs
ROOTLY-KEY rootly_{h64} docs.rootly.com
SENTRY-TOKEN sntrys_{e40,400}_{b43} docs.sentry.io/account/auth-tokens/
SENTRY-TOKEN sntry{u|a|i}_{h64} docs.sentry.io/account/auth-tokens/
SETTLEMINT-TOKEN sm_{aat|pat|sat}_{n16,} gitleaks
SLACK-TOKEN xoxe.xox{b|p}-{d1}-{n100,} docs.slack.dev/authentication/tokens
STYTCH-SECRET secret-{live|test}-{w36,} stytch.com/docs/api
TRIGGER-DEV-KEY tr_{dev|prod|stg|preview|pat}_{n20,} trigger.dev/docs/apikeys bits=3
# Others that gitleaks and trufflehog know
SENDGRID-KEY SG.{w16,32}.{w16,64} www.twilio.com/docs
ADOBE-SECRET p8e-{n32} gitleaks
OPENSHIFT-TOKEN sha256~{w43} gitleaks bits=3.5
VAULT-TOKEN s.{n24} gitleaks alone bits=3.5
AWS-APPSYNC-KEY da2-{k26} docs.aws.amazon.com/appsync alone
MAILGUN-KEY pubkey-{h32} gitleaks alone bits=3
FACEBOOK-TOKEN EAA{M|C}{n100,} gitleaks alone
APIFY-TOKEN apify_api_{n30,} trufflehog
PHOTOROOM-KEY sk_pr_{w20,} trufflehog
SQUARE-TOKEN sq0{i|c}{ge|vn|sp}-{w20,} trufflehog
GITHUB-TOKEN v1.{h40} docs.github.com/en alone bits=3
KEYGEN-TOKEN {activ|user|prod|admin|env}-{h64}v3 trufflehog alone
`;

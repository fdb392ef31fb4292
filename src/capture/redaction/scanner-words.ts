/**
 * What `scanner.wat` looks for, made by `node tools/redaction.mjs signs`: the hook knows by it which texts need the table,
 * which it does not load otherwise. Each word is followed by a tab; a literal has the character of its kind before it.
 */
export const LITERAL_WORDS =
  '0rd>\t0wd>\t0rd">\t0secret>\t0secret">\t0token>\t0token">\t0key>\t0key">\t0value"\t0value\\\t0value=\t0 value' +
  ': \t0value>\t0string>\t0env \t0setx \t0set -\t0_header \t0define \t0set(\t0env(\t0header(\t0property(\t0defi' +
  'ne(\t0&quot;\t0&apos;\t0&#3\t0&#x2\t0api key\t0app key\t0access key\t0secret key\t0private key\t0auth key\t' +
  '0encryption key\t0signing key\t0account key\t0master key\t0shared key\t0subscription key\t0webhook key' +
  '\t0license key\t0admin key\t0fernet key\t0unseal key\t0recovery key\t0rd**\t0secret**\t0token**\t1identif' +
  "ied \t1word '\t1word(\t1securestring \tA:_auth\tA:_pass\tA_authToken\tA_auth=\tA_auth =\tA\n_pass\tA\\n_pass" +
  '\tBhooks.slack\tBhooks.zapier\tBwebhooks/\tBwebhooks\\\tBwebhooks%\tBwebhookb2\tBmaker.ifttt\tB.make.com\t' +
  'B0Q~\tB1Q~\tB2Q~\tB3Q~\tB4Q~\tB5Q~\tB6Q~\tB7Q~\tB8Q~\tB9Q~\tB.atlasv1.\tBsha256~\tB_mmk\tBaccess_token$\tIsig=' +
  '\tIsig%3\tIignature=\tIity-Token=\tIity-token=\tJcurl \tJ login \tJmysql\tJmariadb\tJsshpass \tJredis-cli ' +
  '\tJmongo\tJldap\tJhtpasswd \tJkeytool \tJsqlcmd\tJosql \tJbcp \tL--from-literal\tLconfigure set \tL-passin' +
  '\tL-passout\tL@tcp(\tL@unix(\tL:thin:\tLrequirepass \tLmasterauth \tL:x-oauth-b\tL@github.com/\tL@gitlab.' +
  '\tL@bitbucket.org/\tL" -> \tLauth":\tLauth" :\tLauth\\\tMmachine \tMdefault login \tN:5432:\tN:*:\tO$apr1$\t' +
  'O$1$\tO$5$\tO$argon2\tO_sha256$\tO{SHA}\tO{SSHA\tO$2y$\tO$2b$\tO$2a$\tO$6$\tO$y$\tPassword=\tPwd=\tPASSWORD=\t' +
  'PWD=\tQSecret\tRsensitive"\tRsensitive\\\tSvariable "\tSvariable \\\tSrandom_password\tSSecureString\tS--s' +
  'et\tSPrivate-Lines: \tUPW=\tUPW =\tUPW:\tUPW":\tUpw=\tUpw =\tUpw:\tUpw":\tUpw\':\tUpw\\":\tUPW\u001b\tUpw\u001b\tUPw\u001b\takey' +
  '\takeybase\tbsecret\tbsecretvalue\tbsecretstring\tbtoken\tbcredential\tbcredentials\tcpassword\tcpasswd\tc' +
  'passphrase\tcpasscode\tcpwd\tdpass\te://\te:\\/\te:\\\\/\te:\\\\\\/\te:%2f\te%3a%2f%2f\tfauthorization\tgbearer\th' +
  'cookie\thcookies\ti<private\tj-----begin \tj-----end \tksessionid\tksession_id\tksession-id\tksessid\tkco' +
  'nnect.sid\tk_session\tlpsk\t';

/** The first two to seven characters of every token of the table and of its base64. */
export const TOKEN_WORDS =
  '00D\t0x4AAAA\t4b1d\tA3-\tAA\tABIA\tABSK\tACCA\tAGE-SEC\tAIza\tAKCp\tAKIA\tAKID\tAPI-\tAQVN\tASIA\tATATT3\tATBB\tAT' +
  'CTT3x\tATOA\tATTA\tCCDB1_\tCCIPAT_\tCCIPRJ_\tCFPAT-\tCLOJARS\tDO00\tEAA\tEAAA\tEZAK\tEZTK\tFLWSECK\tFwoGZXI\tGO' +
  'CSPX-\tGOOG1E\tGR13489\tHRKU-\tIGAA\tIGQV\tIGQW\tIQoJb3J\tK00\tKEY\tLS0t\tLTAI\tMD\tMT\tMj\tMz\tND\tNRAA-\tNRAK-\tN' +
  'RII-\tNRIQ-\tNRJS-\tNRRA-\tNRSP-\tNT\tNj\tNz\tOD\tOT\tPMAK-\tPMAT-\tQUJJ\tQUND\tQUl6\tQUtJ\tQVNJ\tQVdTOmV\tR1Ix\tSG' +
  '.\tSK\tWPL_AP\tYC\tZ2h1\tZ2hv\tZ2hw\tZ2hy\tZ2hz\tZ2l0\tZ2x3\tZ2xh\tZ2xj\tZ2xk\tZ2xm\tZ2xp\tZ2xv\tZ2xw\tZ2xy\tZ2xz\tZ' +
  'XlK\taccess-\tapi-\tapi_org\tauthres\tbb_live\tbb_test\tbedrock\tbkaj_\tbkart_\tbkat_\tbkct_\tbkpi_\tbkps_\tbk' +
  'pt_\tbkua_\tbnBt\tc2st\tc2tf\tchpt_\tcio\tcmVmd\tcmtf\tcrsr_\tcsk-\tdG9rO\tdapi\tdbtc_\tdbtu_\tdckr_oa\tdckr_pa\t' +
  'ddo_\tddp_\tddw_\tdnkey-\tdoo_v1_\tdop_v1_\tdor_v1_\tdp.audi\tdp.ct.\tdp.pt.\tdp.sa.\tdp.said\tdp.scim\tdp.st' +
  '.\tdt0c01.\tdt0s01.\tdt0s02.\tdt0s16.\tdtn_\tduffel_\te2b_\teG94\teGFw\tessu_\text_\teyJ\tfc-\tfigd_\tfigo_\tfig' +
  'or_\tfigou_\tfigu_\tfio-u-\tfm1a_\tfm1r_\tfm2_\tfo1_\tfw_\tgho_\tghp_\tghr_\tghs_\tghu_\tgithub_\tglagent\tglc_\t' +
  'glcbt-\tgldt-\tglffct-\tglft-\tglimt-\tgloas-\tglpat-\tglptt-\tglrt-\tglrtr-\tglsa_\tglsoat-\tglwt-\tgsk_\thca' +
  'ik_\thcalk_\thcamk_\thcbik_\thcblk_\thcbmk_\thccik_\thcclk_\thccmk_\thcxik_\thcxlk_\thcxmk_\thf_\thvb.\thvr.\th' +
  'vs.\tico-\tjina_\tkey-\tlin_api\tlin_oau\tlin_wh_\tlio_\tlip_\tlsv2_pt\tlsv2_sk\tm0-\tmd-\tmdb_sa_\tnapi_\tnfb_' +
  '\tnfc_\tnfo_\tnfp_\tnfu_\tnpm_\tntn_\tnvapi-\tops_eyJ\tos_v2_a\tos_v2_o\toy2\tpa-\tpackagi\tpat\tpat-ap1\tpat-eu' +
  '1\tpat-na1\tpat-na2\tpat-na3\tpat.\tpcsk_\tpdl_liv\tpdl_ntf\tpdl_sdb\tpersona\tphs_\tphx_\tpk_\tpnb_\tpnu_\tpol' +
  'ar_a\tpolar_o\tpolar_p\tpolar_r\tpplx-\tprivy_a\tpscale_\tpul-\tpypi-Ag\tr8_\trdme_\tre_\trel-\trk_live\trk_or' +
  'g_\trk_prod\trk_test\trnd_\trootly_\trpa_\trubygem\ts-s4t2a\ts-s4t2u\tsat.\tsb_secr\tsbp_\tsc_\tscauth_\tsdk-\t' +
  'sec-c-\tsecret-\tsecret_\tsgd_\tsgp_\tshippo_\tshpat_\tshpca_\tshpit_\tshppa_\tshpss_\tshptka_\tshpua_\tsignk' +
  'ey\tsk-\tsk.eyJ\tsk_\tsl.\tslk_\tsm_aat_\tsm_pat_\tsm_sat_\tsntrya_\tsntryi_\tsntrys_\tsntryu_\tsnyk_oa\tsnyk_' +
  'sa\tsnyk_ua\tsq0atp-\tsq0csp-\tsqa_\tsqb_\tsqp_\tsqu_\tst.\tt1.\ttfp_\ttgp_v1_\ttk-us-\ttr_dev_\ttr_pat_\ttr_pr' +
  'ev\ttr_prod\ttr_stg_\ttskey-\ttvly-\tunkey_\tv1.0-\tvca_\tvci_\tvck_\tvcp_\tvcr_\twaka_\twandb_v\twhsec_\txaat-' +
  '\txai-\txait-\txapp\txapt-\txkeysib\txnd_dev\txnd_pro\txoxa\txoxb\txoxc\txoxd\txoxe\txoxe.xo\txoxo\txoxp\txoxr\tx' +
  'oxs\txsmtpsi\ty0_\tya29.\t';

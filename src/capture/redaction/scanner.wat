;; Finds where a secret may begin; `scanner.ts` says what for. `node tools/redaction.mjs scanner`
;; turns this file into `scanner-bytes.ts`.
;;
;; Memory, bytes: 0 a class for each character; 320 tables of half bytes for `$prepare`. From 384 on what
;; `tools/redaction/scanner-tables.ts` makes: tables of half bytes for `$mark`; 512 heads of the lists of literals and 2,560
;; those of tokens, 1,024 of two bytes each, by a hash of their first three or two characters; 4,608 more tables for
;; `$markMore`; 4,704 the words, each behind the place of the next of its list (two bytes) and its kind, with the highest bit
;; where it has three characters. 12,544 ends of words before `key`; 12,672 the text as UTF-16; 29,696 the text with one byte
;; for each character. A bit for each character: 38,400 whether it may stand in a token, 39,680 whether a token may begin
;; behind it, 40,960 whether it begins an escape, 42,240 whether a literal may begin with it. 43,520 what was found.
;; 131,072 a text as it was given, for `strip`. From 196,608 on what `machine.wat` says.
;;
;; V8 makes faster code of a function when 1.8 million bytes of it have run, which costs a new process more than it saves. So the
;; loops over all characters take 16 to 64 at once, and where most calls of a function find nothing, it ends near its beginning:
;; 64 KiB stay below that.
;;
;; Classes: 1 may stand in a token, 2 of those, a token may begin behind it, 4 may stand between a label and `=`, 8 begins an
;; escape, 16 digit, 32 lower case, 64 upper case, 128 ends the host of a URL.
(module
  (memory (export "memory") 6)
  (global $turn (mut i32) (i32.const 0))

  (data (i32.const 0)
    "\00\00\00\00\00\00\00\00\00\84\80\80\80\80\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00"
    "\84\00\84\80\00\08\00\84\00\00\00\07\00\03\03\83\11\11\11\11\11\11\11\11\11\11\00\08\80\00\80\84"
    "\80\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\41\08\8c\04\00\03"
    "\84\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\21\00\00\00\03\00")

  ;; Of api, app, access, secret, private, auth, encryption, encrypt, signing, account, master, shared, subscription, webhook,
  ;; license, functions, hmac, cipher, fernet, jwt, admin, deploy; enc, aes, sign, storage, client, server, service, role, ssh,
  ;; unseal, backup, symmetric, insert, query, gotify, fastly, token, signature, security, secondary, deterministic; decrypt,
  ;; decryption, application, session, validation, derivation, primary and master end as others do.
  (data (i32.const 12544)
    "apiappessretateuthionyptinguntterredooknseonsmachernetjwtminloy"
    "encaesignageentvericeolesshealkupricerteryifytlykenureityarytic")

  ;; By the upper half of a byte a bit, and by the lower half those of the characters of the classes 1, 2 and 8: a character is
  ;; in a class where both have a bit in common.
  (data (i32.const 320)
    "\00\00\01\02\04\08\10\20\00\00\00\00\00\00\00\00"
    "\2a\3e\3e\3e\3e\3e\3e\3e\3e\3e\3c\15\14\15\35\1d"
    "\00\00\00\00\00\00\00\00\00\00\00\01\00\01\21\09"
    "\00\00\00\00\00\01\00\00\00\00\00\0a\08\00\00\00")

  ;; How long the word is, if it stands at `at`; else 0. `$fold` is 32 where the case of letters does not matter; `$known` bytes of
  ;; it do stand there.
  (func $match (param $at i32) (param $word i32) (param $fold i32) (param $known i32) (result i32)
    (local $start i32) (local $char i32)
    (local.set $start (local.get $at))
    (local.set $at (i32.add (local.get $at) (local.get $known)))
    (local.set $word (i32.add (local.get $word) (local.get $known)))
    (block $differs
      (loop $next
        (local.set $char (i32.load8_u (local.get $word)))
        (if (i32.eq (local.get $char) (i32.const 9))
          (then (return (i32.sub (local.get $at) (local.get $start)))))
        (br_if $differs
          (i32.ne
            (i32.or (local.get $char) (local.get $fold))
            (i32.or (i32.load8_u (local.get $at)) (local.get $fold))))
        (local.set $word (i32.add (local.get $word) (i32.const 1)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (i32.const 0))

  ;; Whether what stands from `at` on behind a token's sign, up to `end` or to what no token holds, is a machine's: a digit, or
  ;; for a sign that is no word also letters of both cases, or 16 capitals.
  (func $isMachineMade (param $at i32) (param $end i32) (param $isWord i32) (result i32)
    (local $seen i32) (local $class i32) (local $capitals i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $class (i32.load8_u (i32.load8_u (local.get $at))))
        (br_if $done (i32.eqz (i32.and (local.get $class) (i32.const 1))))
        (if (i32.and (local.get $class) (i32.const 16)) (then (return (i32.const 1))))
        (local.set $seen (i32.or (local.get $seen) (local.get $class)))
        (local.set $capitals
          (select
            (i32.add (local.get $capitals) (i32.const 1))
            (i32.const 0)
            (i32.and (local.get $class) (i32.const 64))))
        (if (i32.and
              (i32.eqz (local.get $isWord))
              (i32.or
                (i32.eq (i32.and (local.get $seen) (i32.const 96)) (i32.const 96))
                (i32.eq (local.get $capitals) (i32.const 16))))
          (then (return (i32.const 1))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next)))
    (i32.const 0))

  ;; Whether a sign is small letters only, or at most three capitals: words begin so, too.
  (func $isWord (param $at i32) (param $length i32) (result i32)
    (local $all i32) (local $end i32)
    (local.set $all (i32.const 96))
    (local.set $end (i32.add (local.get $at) (local.get $length)))
    (loop $next
      (local.set $all
        (i32.and (local.get $all) (i32.load8_u (i32.load8_u (local.get $at)))))
      (br_if $next
        (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (local.get $end))))
    (i32.or
      (i32.eq (local.get $all) (i32.const 32))
      (i32.and (i32.eq (local.get $all) (i32.const 64)) (i32.le_u (local.get $length) (i32.const 3)))))

  ;; Whether a token may begin at `at`, where the list of words begins with this one.
  (func $beginsToken (param $at i32) (param $word i32) (result i32)
    (local $length i32) (local $rest i32)
    (loop $next
      (if (i32.ne (i32.load16_u (local.get $at)) (i32.load16_u (local.get $word)))
        (then
          (br_if $next
            (local.tee $word (i32.load16_u (i32.sub (local.get $word) (i32.const 3)))))
          (return (i32.const 0))))
      (if (local.tee $length
            (call $match (local.get $at) (local.get $word) (i32.const 0) (i32.const 2)))
        (then
          (local.set $rest (i32.add (local.get $at) (local.get $length)))
          (if (call $isMachineMade
                (local.get $rest)
                (i32.add (local.get $rest) (i32.const 64))
                (call $isWord (local.get $at) (local.get $length)))
            (then (return (i32.const 1))))))
      (br_if $next
        (local.tee $word (i32.load16_u (i32.sub (local.get $word) (i32.const 3))))))
    (i32.const 0))

  (func $classOf (param $at i32) (result i32)
    (i32.load8_u (i32.load8_u (local.get $at))))

  ;; Whether the name that goes on at `at` begins as that of a command line's option: two dashes, or a space and one.
  (func $isOption (param $at i32) (result i32)
    (local $first i32)
    (local.set $first (i32.sub (local.get $at) (i32.const 72)))
    (loop $next
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (if (i32.or
            (i32.eq (i32.load16_u (local.get $at)) (i32.const 0x2d2d))
            (i32.eq (i32.load16_u (local.get $at)) (i32.const 0x2d20)))
        (then (return (i32.const 1))))
      (br_if $next
        (i32.and
          (i32.and (call $classOf (local.get $at)) (i32.const 1))
          (i32.gt_s (local.get $at) (local.get $first)))))
    (i32.const 0))

  ;; Whether a quotation mark or the line's end follows the space at `at`, maybe behind more of them, backslashes and `n` (`\n`).
  (func $isBeforeMark (param $at i32) (result i32)
    (local $char i32) (local $left i32)
    (local.set $left (i32.const 44))
    (loop $next
      (local.set $char (i32.load8_u (local.get $at)))
      (if (i32.or
            (i32.eq (local.get $char) (i32.const 10))
            (i32.or (i32.eq (local.get $char) (i32.const 0x22)) (i32.eq (local.get $char) (i32.const 0x27))))
        (then (return (i32.const 1))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.or
            (i32.or (i32.eq (local.get $char) (i32.const 0x20)) (i32.eq (local.get $char) (i32.const 9)))
            (i32.or (i32.eq (local.get $char) (i32.const 0x5c)) (i32.eq (local.get $char) (i32.const 0x6e))))
        (then
          (br_if $next (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))))
    (i32.const 0))

  ;; Whether a value may be assigned to the label from `start` to `at`: `=`, `:` or `%`, a colour, a space behind an option, or
  ;; one before a quotation mark; or ` is ` tells it, or ` As ` its type; or a string follows it as an argument.
  ;; `$also` is one more character that will do.
  (func $isAssigned (param $start i32) (param $at i32) (param $also i32) (result i32)
    (local $char i32) (local $left i32) (local $end i32)
    (local.set $char (i32.load8_u (local.get $at)))
    (if (i32.or (i32.eq (local.get $char) (i32.const 0x5f)) (i32.eq (local.get $char) (i32.const 0x2d)))
      (then
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (local.set $left (i32.const 14)))
      (else
        (if (i32.or
              (i32.and (call $classOf (local.get $at)) (i32.const 80))
              (i32.eq (local.get $char) (i32.const 0x73)))
          (then (local.set $left (i32.const 14))))))
    ;; A number, or a word of `label-suffixes.ts`: behind a joint, in camel case, or the `s` of more than one.
    (loop $suffix
      (if (i32.and
            (i32.ne (local.get $left) (i32.const 0))
            (i32.ne (i32.and (call $classOf (local.get $at)) (i32.const 112)) (i32.const 0)))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (local.set $left (i32.sub (local.get $left) (i32.const 1)))
          (br $suffix))))
    (local.set $end (local.get $at))
    ;; `password[] =`, `password[32] =`; `]` may stand before `=` anyway.
    (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x5b))
      (then
        (local.set $left (i32.const 5))
        (loop $index
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if $index
            (i32.and
              (i32.shr_u (call $classOf (local.get $at)) (i32.const 4))
              (i32.ne (local.tee $left (i32.sub (local.get $left) (i32.const 1))) (i32.const 0)))))
        (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x5d))
          (then (local.set $at (i32.add (local.get $at) (i32.const 1)))))))
    ;; `password("…")`, `password{"…"}`
    (if (i32.or
          (i32.eq (i32.load16_u (local.get $at)) (i32.const 0x2228))
          (i32.or
            (i32.eq (i32.load16_u (local.get $at)) (i32.const 0x2728))
            (i32.eq (i32.load16_u (local.get $at)) (i32.const 0x227b))))
      (then (return (i32.const 1))))
    (local.set $left (i32.const 48))
    (loop $next
      (local.set $char (i32.load8_u (local.get $at)))
      (if (i32.or
            (i32.or (i32.eq (local.get $char) (i32.const 0x3d)) (i32.eq (local.get $char) (i32.const 0x3a)))
            (i32.or
              (i32.eq (local.get $char) (i32.const 0x25))
              (i32.or
                (i32.eq (local.get $char) (i32.const 0x1b))
                (i32.eq (local.get $char) (local.get $also)))))
        (then (return (i32.const 1))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.eq (local.get $char) (i32.const 0x5c))
        (then
          (local.set $char (i32.or (i32.load8_u (local.get $at)) (i32.const 32)))
          ;; u001b, x1b, e or 033: a colour
          (if (i32.or
                (i32.or (i32.eq (local.get $char) (i32.const 0x75)) (i32.eq (local.get $char) (i32.const 0x78)))
                (i32.or (i32.eq (local.get $char) (i32.const 0x65)) (i32.eq (local.get $char) (i32.const 0x30))))
            (then (return (i32.const 1))))
          (br $next)))
      (if (i32.and (i32.load8_u (local.get $char)) (i32.const 4))
        (then
          (br_if $next (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))))
    ;; `"password", "…"`
    (if (i32.or
          (i32.eq (i32.load16_u (i32.sub (local.get $at) (i32.const 2))) (i32.const 0x2c22))
          (i32.eq (i32.load16_u (i32.sub (local.get $at) (i32.const 2))) (i32.const 0x2c27)))
      (then (return (call $isBeforeMark (local.get $at)))))
    (local.set $char (i32.load8_u (local.get $end)))
    (if (i32.or (i32.eq (local.get $char) (i32.const 0x20)) (i32.eq (local.get $char) (i32.const 9)))
      (then
        (if (i32.or
              (i32.eq (i32.load (local.get $end)) (i32.const 0x20734120))
              (i32.or
                (i32.eq (i32.load (local.get $end)) (i32.const 0x20736920))
                (i32.eq (i32.load (local.get $end)) (i32.const 0x3a736920))))
          (then (return (i32.const 1))))
        (return
          (i32.or (call $isBeforeMark (local.get $end)) (call $isOption (local.get $start))))))
    (i32.const 0))

  ;; Whether a user may stand before a host in the URL whose `://` is from `start` to `at`.
  (func $hasUser (param $start i32) (param $at i32) (result i32)
    (local $char i32) (local $left i32)
    (if (i32.or
          (i32.eq (i32.load8_u (local.get $start)) (i32.const 0x25))
          (i32.eq (i32.load8_u (i32.add (local.get $start) (i32.const 1))) (i32.const 0x25)))
      (then (return (i32.const 1))))
    (local.set $left (i32.const 16))
    (loop $slash
      (local.set $char (i32.load8_u (local.get $at)))
      (if (i32.or (i32.eq (local.get $char) (i32.const 0x2f)) (i32.eq (local.get $char) (i32.const 0x5c)))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if $slash (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))))
    (local.set $left (i32.const 130))
    (loop $host
      (local.set $char (i32.load8_u (local.get $at)))
      (if (i32.or (i32.eq (local.get $char) (i32.const 0x3a)) (i32.eq (local.get $char) (i32.const 0x25)))
        (then (return (i32.const 1))))
      (if (i32.and (i32.load8_u (local.get $char)) (i32.const 128)) (then (return (i32.const 0))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $host (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
    (i32.const 0))

  ;; Whether one of the words that make a key secret may stand before it: by their last three letters.
  (func $isSecretKey (param $at i32) (result i32)
    (local $char i32) (local $letters i32) (local $word i32)
    ;; `_KEY` of a name in upper case
    (if (i32.eq (i32.load16_u (i32.sub (local.get $at) (i32.const 1))) (i32.const 0x4b5f))
      (then (return (i32.const 1))))
    (local.set $char (i32.load8_u (i32.sub (local.get $at) (i32.const 1))))
    (if (i32.or
          (i32.or (i32.eq (local.get $char) (i32.const 0x5f)) (i32.eq (local.get $char) (i32.const 0x2d)))
          (i32.or (i32.eq (local.get $char) (i32.const 0x2e)) (i32.eq (local.get $char) (i32.const 0x3a))))
      (then (local.set $at (i32.sub (local.get $at) (i32.const 1)))))
    ;; `__`
    (if (i32.eq (i32.load16_u (i32.sub (local.get $at) (i32.const 1))) (i32.const 0x5f5f))
      (then (local.set $at (i32.sub (local.get $at) (i32.const 1)))))
    (local.set $letters
      (i32.and
        (i32.or (i32.load (i32.sub (local.get $at) (i32.const 3))) (i32.const 0x202020))
        (i32.const 0xffffff)))
    (local.set $word (i32.const 12544))
    (loop $next
      (if (i32.eq (i32.and (i32.load (local.get $word)) (i32.const 0xffffff)) (local.get $letters))
        (then (return (i32.const 1))))
      (br_if $next
        (i32.load8_u (local.tee $word (i32.add (local.get $word) (i32.const 3))))))
    (i32.const 0))

  ;; Whether a cookie's name with its `=` may follow on the line, in reach of what may stand before it; or the word is the key
  ;; of an object, behind which the text ends.
  (func $hasCookie (param $at i32) (result i32)
    (local $char i32) (local $end i32)
    (local.set $end (i32.add (local.get $at) (i32.const 128)))
    (loop $next
      (local.set $char (i32.load8_u (local.get $at)))
      (if (i32.or (i32.eq (local.get $char) (i32.const 0x3d)) (i32.eq (local.get $char) (i32.const 0x1b)))
        (then (return (i32.const 1))))
      (if (i32.eq (local.get $char) (i32.const 10)) (then (return (i32.const 0))))
      (br_if $next
        (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (local.get $end))))
    (i32.const 0))

  ;; Whether the literal of this kind is one by what stands around it.
  (func $stands (param $kind i32) (param $start i32) (param $end i32) (result i32)
    (local $char i32)
    (if (i32.eq (local.get $kind) (i32.const 0x65))
      (then (return (call $hasUser (local.get $start) (local.get $end)))))
    (if (i32.eq (local.get $kind) (i32.const 0x67))
      (then
        (local.set $char (i32.load8_u (local.get $end)))
        (return
          (i32.or
            (i32.or (i32.eq (local.get $char) (i32.const 0x20)) (i32.eq (local.get $char) (i32.const 9)))
            (i32.or (i32.eq (local.get $char) (i32.const 0x25)) (i32.eq (local.get $char) (i32.const 0x2b)))))))
    (if (i32.eq (local.get $kind) (i32.const 0x61))
      (then
        (if (i32.eqz (call $isSecretKey (local.get $start))) (then (return (i32.const 0))))
        ;; `SECRET_KEY_BASE`, which may have a suffix of its own
        (local.set $char (i32.or (i32.load (local.get $end)) (i32.const 0x20202000)))
        (if (i32.or
              (i32.eq (local.get $char) (i32.const 0x7361625f))
              (i32.eq (local.get $char) (i32.const 0x7361622d)))
          (then (local.set $end (i32.add (local.get $end) (i32.const 5)))))))
    ;; `PASS` of `PASSWORD`: no suffix begins so.
    (if (i32.eq (local.get $kind) (i32.const 0x64))
      (then
        (if (i32.eq (i32.or (i32.load8_u (local.get $end)) (i32.const 32)) (i32.const 0x77))
          (then (return (i32.const 0))))))
    (if (i32.eq (local.get $kind) (i32.const 0x68))
      (then
        (if (i32.eqz (call $hasCookie (local.get $end))) (then (return (i32.const 0))))))
    ;; Kinds a to d, f, h and k to m are names.
    (if (i32.or
          (i32.or
            (i32.le_u (i32.sub (local.get $kind) (i32.const 0x61)) (i32.const 3))
            (i32.le_u (i32.sub (local.get $kind) (i32.const 0x6b)) (i32.const 2)))
          (i32.or (i32.eq (local.get $kind) (i32.const 0x66)) (i32.eq (local.get $kind) (i32.const 0x68))))
      (then
        (return
          (call $isAssigned
            (local.get $start)
            (local.get $end)
            (select (i32.const 0x2c) (i32.const 0x3d) (i32.eq (local.get $kind) (i32.const 0x66)))))))
    (i32.const 1))

  ;; One byte for each character, those beyond U+00FF become 0xff or 0, which no word holds; and the bits of its classes.
  (func $prepare (param $chars i32)
    (local $at i32) (local $chars16 v128) (local $low v128) (local $rows v128)
    (local $half v128) (local $none v128) (local $row v128) (local $token v128) (local $behind v128) (local $escape v128)
    (local.set $half (i8x16.splat (i32.const 15)))
    (local.set $row (v128.load (i32.const 320)))
    (local.set $token (v128.load (i32.const 336)))
    (local.set $behind (v128.load (i32.const 352)))
    (local.set $escape (v128.load (i32.const 368)))
    ;; Whatever stood behind it.
    (local.set $at (i32.shl (local.get $chars) (i32.const 1)))
    (v128.store offset=12672 (local.get $at) (local.get $none))
    (v128.store offset=12688 (local.get $at) (local.get $none))
    (v128.store offset=12704 (local.get $at) (local.get $none))
    (v128.store offset=12720 (local.get $at) (local.get $none))
    (local.set $at (i32.const 0))
    (loop $next
      (local.set $chars16
        (i8x16.narrow_i16x8_u
          (v128.load offset=12672 (i32.shl (local.get $at) (i32.const 1)))
          (v128.load offset=12688 (i32.shl (local.get $at) (i32.const 1)))))
      (v128.store offset=29696 (local.get $at) (local.get $chars16))
      (local.set $rows
        (i8x16.swizzle (local.get $row)
          (v128.and (i16x8.shr_u (local.get $chars16) (i32.const 4)) (local.get $half))))
      (local.set $low (v128.and (local.get $chars16) (local.get $half)))
      (i32.store16 offset=38400
        (i32.shr_u (local.get $at) (i32.const 3))
        (i8x16.bitmask
          (i8x16.gt_s
            (v128.and (i8x16.swizzle (local.get $token) (local.get $low)) (local.get $rows))
            (local.get $none))))
      (i32.store16 offset=39680
        (i32.shr_u (local.get $at) (i32.const 3))
        (i8x16.bitmask
          (i8x16.gt_s
            (v128.and (i8x16.swizzle (local.get $behind) (local.get $low)) (local.get $rows))
            (local.get $none))))
      (i32.store16 offset=40960
        (i32.shr_u (local.get $at) (i32.const 3))
        (i8x16.bitmask
          (i8x16.gt_s
            (v128.and (i8x16.swizzle (local.get $escape) (local.get $low)) (local.get $rows))
            (local.get $none))))
      (br_if $next
        (i32.le_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $chars)))))

  ;; A bit for each character from `from` to `to` with which a literal may begin, by the halves of three bytes, of the first eight
  ;; groups of literals. With `$markMore` one in ten.
  (func $mark (param $from i32) (param $to i32)
    (local $half v128) (local $none v128) (local $chars v128) (local $all v128)
    (local $low0 v128) (local $high0 v128) (local $low1 v128) (local $high1 v128) (local $low2 v128) (local $high2 v128)
    (local.set $half (i8x16.splat (i32.const 15)))
    (local.set $low0 (v128.load (i32.const 384)))
    (local.set $high0 (v128.load (i32.const 400)))
    (local.set $low1 (v128.load (i32.const 416)))
    (local.set $high1 (v128.load (i32.const 432)))
    (local.set $low2 (v128.load (i32.const 448)))
    (local.set $high2 (v128.load (i32.const 464)))
    (loop $next
      (local.set $chars (v128.load offset=29696 (local.get $from)))
      (local.set $all
        (v128.and
          (i8x16.swizzle (local.get $low0) (v128.and (local.get $chars) (local.get $half)))
          (i8x16.swizzle (local.get $high0)
            (v128.and (i16x8.shr_u (local.get $chars) (i32.const 4)) (local.get $half)))))
      (local.set $chars (v128.load offset=29697 (local.get $from)))
      (local.set $all
        (v128.and
          (v128.and (local.get $all)
            (i8x16.swizzle (local.get $low1) (v128.and (local.get $chars) (local.get $half))))
          (i8x16.swizzle (local.get $high1)
            (v128.and (i16x8.shr_u (local.get $chars) (i32.const 4)) (local.get $half)))))
      (local.set $chars (v128.load offset=29698 (local.get $from)))
      (local.set $all
        (v128.and
          (v128.and (local.get $all)
            (i8x16.swizzle (local.get $low2) (v128.and (local.get $chars) (local.get $half))))
          (i8x16.swizzle (local.get $high2)
            (v128.and (i16x8.shr_u (local.get $chars) (i32.const 4)) (local.get $half)))))
      (i32.store16 offset=42240
        (i32.shr_u (local.get $from) (i32.const 3))
        (i32.xor (i8x16.bitmask (i8x16.eq (local.get $all) (local.get $none))) (i32.const -1)))
      (br_if $next
        (i32.lt_u (local.tee $from (i32.add (local.get $from) (i32.const 16))) (local.get $to))))
    ;; Whatever stood behind them.
    (i64.store offset=42240 (i32.shr_u (local.get $from) (i32.const 3)) (i64.const 0)))

  ;; The same by the other eight groups, beside what `$mark` found. A function of its own: twice as much of `$mark` would be too much.
  (func $markMore (param $from i32) (param $to i32)
    (local $half v128) (local $none v128) (local $chars v128) (local $all v128)
    (local $low0 v128) (local $high0 v128) (local $low1 v128) (local $high1 v128) (local $low2 v128) (local $high2 v128)
    (local.set $half (i8x16.splat (i32.const 15)))
    (local.set $low0 (v128.load (i32.const 4608)))
    (local.set $high0 (v128.load (i32.const 4624)))
    (local.set $low1 (v128.load (i32.const 4640)))
    (local.set $high1 (v128.load (i32.const 4656)))
    (local.set $low2 (v128.load (i32.const 4672)))
    (local.set $high2 (v128.load (i32.const 4688)))
    (loop $next
      (local.set $chars (v128.load offset=29696 (local.get $from)))
      (local.set $all
        (v128.and
          (i8x16.swizzle (local.get $low0) (v128.and (local.get $chars) (local.get $half)))
          (i8x16.swizzle (local.get $high0)
            (v128.and (i16x8.shr_u (local.get $chars) (i32.const 4)) (local.get $half)))))
      (local.set $chars (v128.load offset=29697 (local.get $from)))
      (local.set $all
        (v128.and
          (v128.and (local.get $all)
            (i8x16.swizzle (local.get $low1) (v128.and (local.get $chars) (local.get $half))))
          (i8x16.swizzle (local.get $high1)
            (v128.and (i16x8.shr_u (local.get $chars) (i32.const 4)) (local.get $half)))))
      (local.set $chars (v128.load offset=29698 (local.get $from)))
      (local.set $all
        (v128.and
          (v128.and (local.get $all)
            (i8x16.swizzle (local.get $low2) (v128.and (local.get $chars) (local.get $half))))
          (i8x16.swizzle (local.get $high2)
            (v128.and (i16x8.shr_u (local.get $chars) (i32.const 4)) (local.get $half)))))
      (i32.store16 offset=42240
        (i32.shr_u (local.get $from) (i32.const 3))
        (i32.or
          (i32.load16_u offset=42240 (i32.shr_u (local.get $from) (i32.const 3)))
          (i32.xor (i8x16.bitmask (i8x16.eq (local.get $all) (local.get $none))) (i32.const -1))))
      (br_if $next
        (i32.lt_u (local.tee $from (i32.add (local.get $from) (i32.const 16))) (local.get $to)))))

  ;; Writes down the literal if it stands at `at`, where its first three characters do; returns where to write next.
  (func $literalAt (param $at i32) (param $word i32) (param $out i32) (result i32)
    (local $kind i32) (local $length i32)
    (local.set $kind
      (i32.and (i32.load8_u (i32.sub (local.get $word) (i32.const 1))) (i32.const 127)))
    (if (i32.eqz
          (local.tee $length
            (call $match
              (local.get $at)
              (local.get $word)
              (i32.and (local.get $kind) (i32.const 32))
              (i32.const 3))))
      (then (return (local.get $out))))
    (if (i32.eqz
          (call $stands
            (local.get $kind)
            (local.get $at)
            (i32.add (local.get $at) (local.get $length))))
      (then (return (local.get $out))))
    (i32.store (local.get $out)
      (i32.or
        (i32.sub (local.get $at) (i32.const 29696))
        (i32.shl (local.get $kind) (i32.const 24))))
    (i32.add (local.get $out) (i32.const 4)))

  ;; Writes down which of the list of literals that begins with `word` stand at `at`; returns where to write next. Nearly all
  ;; stand there not, so there is no more here than that takes: V8 counts the bytes up to where a loop or a function ends.
  (func $literalsAt (param $at i32) (param $word i32) (param $out i32) (result i32)
    (local $kind i32)
    (loop $next
      (local.set $kind (i32.load8_u (i32.sub (local.get $word) (i32.const 1))))
      ;; Its first four, or three where it has no more.
      (if (i32.and
            (i32.xor (i32.load (local.get $at)) (i32.load (local.get $word)))
            (i32.shr_u
              (select (i32.const 0xdfdfdfdf) (i32.const -1) (i32.and (local.get $kind) (i32.const 32)))
              (i32.and (i32.shr_u (local.get $kind) (i32.const 4)) (i32.const 8))))
        (then
          (br_if $next
            (local.tee $word (i32.load16_u (i32.sub (local.get $word) (i32.const 3)))))
          (return (local.get $out))))
      (local.set $out (call $literalAt (local.get $at) (local.get $word) (local.get $out)))
      (br_if $next
        (local.tee $word (i32.load16_u (i32.sub (local.get $word) (i32.const 3))))))
    (local.get $out))

  ;; The literals from `from` to `to`.
  (func $literals (param $from i32) (param $to i32) (param $out i32) (result i32)
    (local $marks i64) (local $at i32) (local $word i32)
    (loop $more
      (local.set $marks (i64.load offset=42240 (i32.shr_u (local.get $from) (i32.const 3))))
      (block $none
        (loop $next
          (br_if $none (i64.eqz (local.get $marks)))
          (local.set $at (i32.add (local.get $from) (i32.wrap_i64 (i64.ctz (local.get $marks)))))
          (local.set $marks (i64.and (local.get $marks) (i64.sub (local.get $marks) (i64.const 1))))
          (br_if $next
            (i32.eqz
              (local.tee $word
                (i32.load16_u offset=512
                  (i32.shl
                    (i32.shr_u
                      (i32.mul
                        (i32.and
                          (i32.or (i32.load offset=29696 (local.get $at)) (i32.const 0x202020))
                          (i32.const 0xffffff))
                        (i32.const 0x9e3779b1))
                      (i32.const 22))
                    (i32.const 1))))))
          (br_if $none (i32.ge_u (local.get $at) (local.get $to)))
          (local.set $out
            (call $literalsAt
              (i32.add (local.get $at) (i32.const 29696))
              (local.get $word)
              (local.get $out)))
          (br $next)))
      (br_if $more
        (i32.lt_u (local.tee $from (i32.add (local.get $from) (i32.const 64))) (local.get $to))))
    (local.get $out))

  ;; Both again, for every other call of `scan`: what V8 counts it counts for each function.
  (func $literalsAtToo (param $at i32) (param $word i32) (param $out i32) (result i32)
    (local $kind i32)
    (loop $next
      (local.set $kind (i32.load8_u (i32.sub (local.get $word) (i32.const 1))))
      ;; Its first four, or three where it has no more.
      (if (i32.and
            (i32.xor (i32.load (local.get $at)) (i32.load (local.get $word)))
            (i32.shr_u
              (select (i32.const 0xdfdfdfdf) (i32.const -1) (i32.and (local.get $kind) (i32.const 32)))
              (i32.and (i32.shr_u (local.get $kind) (i32.const 4)) (i32.const 8))))
        (then
          (br_if $next
            (local.tee $word (i32.load16_u (i32.sub (local.get $word) (i32.const 3)))))
          (return (local.get $out))))
      (local.set $out (call $literalAt (local.get $at) (local.get $word) (local.get $out)))
      (br_if $next
        (local.tee $word (i32.load16_u (i32.sub (local.get $word) (i32.const 3))))))
    (local.get $out))

  (func $literalsToo (param $from i32) (param $to i32) (param $out i32) (result i32)
    (local $marks i64) (local $at i32) (local $word i32)
    (loop $more
      (local.set $marks (i64.load offset=42240 (i32.shr_u (local.get $from) (i32.const 3))))
      (block $none
        (loop $next
          (br_if $none (i64.eqz (local.get $marks)))
          (local.set $at (i32.add (local.get $from) (i32.wrap_i64 (i64.ctz (local.get $marks)))))
          (local.set $marks (i64.and (local.get $marks) (i64.sub (local.get $marks) (i64.const 1))))
          (br_if $next
            (i32.eqz
              (local.tee $word
                (i32.load16_u offset=512
                  (i32.shl
                    (i32.shr_u
                      (i32.mul
                        (i32.and
                          (i32.or (i32.load offset=29696 (local.get $at)) (i32.const 0x202020))
                          (i32.const 0xffffff))
                        (i32.const 0x9e3779b1))
                      (i32.const 22))
                    (i32.const 1))))))
          (br_if $none (i32.ge_u (local.get $at) (local.get $to)))
          (local.set $out
            (call $literalsAtToo
              (i32.add (local.get $at) (i32.const 29696))
              (local.get $word)
              (local.get $out)))
          (br $next)))
      (br_if $more
        (i32.lt_u (local.tee $from (i32.add (local.get $from) (i32.const 64))) (local.get $to))))
    (local.get $out))

  ;; The tokens from `from` to `to`: where a run of 15 characters and more begins, behind some of its characters, and at each of
  ;; its first six behind an escape. Bit 0 is the character before. An escape may stand before `from`: `start` does.
  (func $tokens (param $start i32) (param $from i32) (param $to i32) (param $out i32) (result i32)
    (local $runs i64) (local $long i64) (local $starts i64) (local $escaped i64) (local $left i64)
    (local $at i32) (local $word i32)
    (loop $more
      (local.set $at (i32.shr_u (local.get $start) (i32.const 3)))
      (local.set $runs (i64.shr_u (i64.load offset=38399 (local.get $at)) (i64.const 7)))
      ;; Where 15 of them follow each other.
      (local.set $long (i64.and (local.get $runs) (i64.shr_u (local.get $runs) (i64.const 1))))
      (local.set $long (i64.and (local.get $long) (i64.shr_u (local.get $long) (i64.const 2))))
      (local.set $long (i64.and (local.get $long) (i64.shr_u (local.get $long) (i64.const 4))))
      (local.set $long (i64.and (local.get $long) (i64.shr_u (local.get $long) (i64.const 7))))
      ;; 40 bits.
      (local.set $long (i64.and (local.get $long) (i64.const 0x1fffffffffe)))
      (if (i64.eqz (local.get $long))
        (then (local.set $left (i64.const 0)))
        (else
          (local.set $starts
            (i64.and
              (local.get $long)
              (i64.xor (i64.shl (local.get $runs) (i64.const 1)) (i64.const -1))))
          (local.set $escaped
            (i64.and
              (local.get $starts)
              (i64.shr_u (i64.load offset=40959 (local.get $at)) (i64.const 6))))
          (local.set $escaped
            (i64.or (local.get $escaped) (i64.shl (local.get $escaped) (i64.const 1))))
          (local.set $escaped
            (i64.or
              (i64.or (local.get $escaped) (i64.shl (local.get $escaped) (i64.const 2)))
              (i64.shl (local.get $escaped) (i64.const 4))))
          (local.set $starts
            (i64.and
              (local.get $long)
              (i64.or
                (i64.or (local.get $starts) (i64.shr_u (i64.load offset=39679 (local.get $at)) (i64.const 6)))
                (i64.or (local.get $escaped) (local.get $left)))))
          (local.set $left (i64.shr_u (local.get $escaped) (i64.const 40)))
          (block $none
            (loop $next
              (br_if $none (i64.eqz (local.get $starts)))
              (local.set $at
                (i32.add
                  (i32.add (local.get $start) (i32.const 29695))
                  (i32.wrap_i64 (i64.ctz (local.get $starts)))))
              (local.set $starts (i64.and (local.get $starts) (i64.sub (local.get $starts) (i64.const 1))))
              (br_if $next
                (i32.eqz
                  (local.tee $word
                    (i32.load16_u offset=2560
                      (i32.shl
                        (i32.shr_u
                          (i32.mul (i32.load16_u (local.get $at)) (i32.const 0x9e3779b1))
                          (i32.const 22))
                        (i32.const 1))))))
              (local.set $at (i32.sub (local.get $at) (i32.const 29696)))
              (br_if $next
                (i32.ge_u
                  (i32.sub (local.get $at) (local.get $from))
                  (i32.sub (local.get $to) (local.get $from))))
              (if (call $beginsToken (i32.add (local.get $at) (i32.const 29696)) (local.get $word))
                (then
                  (i32.store (local.get $out) (i32.or (local.get $at) (i32.const 0x54000000)))
                  (local.set $out (i32.add (local.get $out) (i32.const 4)))))
              (br $next)))))
      (br_if $more
        (i32.lt_u (local.tee $start (i32.add (local.get $start) (i32.const 40))) (local.get $to))))
    (local.get $out))

  ;; Whether 14 characters from `at` on may stand in a token.
  (func $isRun (param $at i32) (result i32)
    (local $end i32) (local $char i32)
    (local.set $end (i32.add (local.get $at) (i32.const 28)))
    (loop $next
      (local.set $char (i32.load16_u (local.get $at)))
      (if (i32.gt_u (local.get $char) (i32.const 127)) (then (return (i32.const 0))))
      (if (i32.eqz (i32.and (i32.load8_u (local.get $char)) (i32.const 1)))
        (then (return (i32.const 0))))
      (br_if $next
        (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 2))) (local.get $end))))
    (i32.const 1))

  ;; Whether something may be found in the text as it is that is not found without the sequence whose last character is at
  ;; `final`: a word whose beginning is taken for the end of a sequence that was cut, where no usual one ends so (A to D, G, H, J,
  ;; K, h, l, m); a token that would stand behind a letter then, or that a sequence without parameters cuts; and `pw` before it.
  ;; `$out` is where the text without sequences goes on, `$isBare` whether nothing stands between `[` and `final`.
  (func $hides (param $final i32) (param $out i32) (param $isBare i32) (result i32)
    (local $char i32)
    (if (i64.eqz
          (i64.and
            (i64.shr_u
              (i64.const 0x310000000d9e)
              (i64.extend_i32_u (i32.sub (i32.load16_u (local.get $final)) (i32.const 0x40))))
            (i64.const 1)))
      (then (return (i32.const 1))))
    (if (call $isRun (i32.add (local.get $final) (i32.const 2)))
      (then
        (local.set $char (i32.load16_u (i32.sub (local.get $out) (i32.const 2))))
        (if (i32.le_u (local.get $char) (i32.const 127))
          (then
            (if (i32.and (i32.load8_u (local.get $char)) (i32.const 112)) (then (return (i32.const 1))))))
        ;; Not K, m, H or J, with which sequences end indeed.
        (if (local.get $isBare)
          (then
            (local.set $char (i32.or (i32.load16_u (local.get $final)) (i32.const 32)))
            (if (i32.and
                  (i32.and (i32.ne (local.get $char) (i32.const 0x6b)) (i32.ne (local.get $char) (i32.const 0x6d)))
                  (i32.and (i32.ne (local.get $char) (i32.const 0x68)) (i32.ne (local.get $char) (i32.const 0x6a))))
              (then (return (i32.const 1))))))))
    (i32.eq
      (i32.or (i32.load (i32.sub (local.get $out) (i32.const 4))) (i32.const 0x200020))
      (i32.const 0x770070)))

  ;; Writes the text of so many characters that stands at 131,072 to 12,672, without a terminal's sequences (ECMA-48 §5.4; see
  ;; `escapes.ts`). Returns how many characters are left; -1 where the text must be searched as it is as well.
  (func (export "strip") (param $chars i32) (result i32)
    (local $at i32) (local $end i32) (local $out i32) (local $bits i32) (local $char i32) (local $final i32) (local $last i32)
    (local $chars8 v128) (local $escape v128) (local $none v128)
    (local.set $escape (i16x8.splat (i32.const 0x1b)))
    (local.set $at (i32.const 131072))
    (local.set $out (i32.const 12672))
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $chars) (i32.const 1))))
    ;; Whatever stood behind it.
    (v128.store (local.get $end) (local.get $none))
    (v128.store offset=16 (local.get $end) (local.get $none))
    (loop $next
      (local.set $chars8 (v128.load (local.get $at)))
      (v128.store (local.get $out) (local.get $chars8))
      (local.set $bits (i16x8.bitmask (i16x8.eq (local.get $chars8) (local.get $escape))))
      (if (local.get $bits)
        (then
          (local.set $bits (i32.shl (i32.ctz (local.get $bits)) (i32.const 1)))
          (local.set $at (i32.add (local.get $at) (local.get $bits)))
          (local.set $out (i32.add (local.get $out) (local.get $bits)))
          (local.set $char (i32.load16_u offset=2 (local.get $at)))
          ;; A link's text is hidden.
          (if (i32.eq (local.get $char) (i32.const 0x5d)) (then (return (i32.const -1))))
          (block $none
            (if (i32.eq (local.get $char) (i32.const 0x28))
              (then
                (local.set $char (i32.load16_u offset=4 (local.get $at)))
                (br_if $none
                  (i32.and
                    (i32.ne (local.get $char) (i32.const 0x30))
                    (i32.gt_u (i32.sub (local.get $char) (i32.const 0x41)) (i32.const 1))))
                (local.set $at (i32.add (local.get $at) (i32.const 6)))
                (br $next)))
            (br_if $none (i32.ne (local.get $char) (i32.const 0x5b)))
            (local.set $final (i32.add (local.get $at) (i32.const 4)))
            (local.set $last (i32.add (local.get $final) (i32.const 128)))
            (loop $parameters
              (local.set $char (i32.load16_u (local.get $final)))
              (if (i32.lt_u (i32.sub (local.get $char) (i32.const 0x30)) (i32.const 16))
                (then
                  (local.set $final (i32.add (local.get $final) (i32.const 2)))
                  (br_if $parameters (i32.le_u (local.get $final) (local.get $last)))
                  (br $none))))
            (local.set $last (i32.add (local.get $final) (i32.const 8)))
            (loop $between
              (local.set $char (i32.load16_u (local.get $final)))
              (if (i32.lt_u (i32.sub (local.get $char) (i32.const 0x20)) (i32.const 16))
                (then
                  (local.set $final (i32.add (local.get $final) (i32.const 2)))
                  (br_if $between (i32.le_u (local.get $final) (local.get $last)))
                  (br $none))))
            (br_if $none
              (i32.gt_u (i32.sub (local.get $char) (i32.const 0x40)) (i32.const 0x3e)))
            (if (call $hides
                  (local.get $final)
                  (local.get $out)
                  (i32.eq (local.get $final) (i32.add (local.get $at) (i32.const 4))))
              (then (return (i32.const -1))))
            (local.set $at (i32.add (local.get $final) (i32.const 2)))
            (br $next))
          ;; No sequence.
          (local.set $at (i32.add (local.get $at) (i32.const 2)))
          (local.set $out (i32.add (local.get $out) (i32.const 2))))
        (else
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (local.set $out (i32.add (local.get $out) (i32.const 16)))))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (i32.shr_u
      (i32.sub
        (i32.sub (local.get $out) (i32.sub (local.get $at) (local.get $end)))
        (i32.const 12672))
      (i32.const 1)))

  ;; Searches the text of so many characters that was written to 12,672; returns how many places between `from`, which 16 divides,
  ;; and `to` it found, each four bytes at 43,520: three of the place, one of the kind.
  (func (export "scan") (param $chars i32) (param $from i32) (param $to i32) (result i32)
    (global.set $turn (i32.xor (global.get $turn) (i32.const 1)))
    (call $prepare (local.get $chars))
    (call $mark (local.get $from) (local.get $to))
    (call $markMore (local.get $from) (local.get $to))
    (i32.shr_u
      (i32.sub
        (call $tokens
          (select (i32.sub (local.get $from) (i32.const 40)) (i32.const 0) (local.get $from))
          (local.get $from)
          (local.get $to)
          (if (result i32) (global.get $turn)
            (then (call $literals (local.get $from) (local.get $to) (i32.const 43520)))
            (else (call $literalsToo (local.get $from) (local.get $to) (i32.const 43520)))))
        (i32.const 43520))
      (i32.const 2))))

;; SHA-256 and XXH64 for short-lived processes; README.md says why. `tools/assemble.mjs` turns this file into
;; `wasm-bytes.ts`.
;;
;; Memory: 0 SHA-256's 64 round constants, 256 its initial state, 288 its schedule of 64 words, 544 its state, 576 its
;; digest, from 1024 on the caller's input.
;;
;; Rotations in inner loops are two shifts: V8's first, quick compiler makes a call out of an `i32.rotr` or `i64.rotl`,
;; and with it the code runs half as fast and is soon compiled again, which a hook's process does not live to use.
(module
  (memory (export "memory") 2)
  (data (i32.const 0)
    "\98\2f\8a\42\91\44\37\71\cf\fb\c0\b5\a5\db\b5\e9\5b\c2\56\39\f1\11\f1\59\a4\82\3f\92\d5\5e\1c\ab"
    "\98\aa\07\d8\01\5b\83\12\be\85\31\24\c3\7d\0c\55\74\5d\be\72\fe\b1\de\80\a7\06\dc\9b\74\f1\9b\c1"
    "\c1\69\9b\e4\86\47\be\ef\c6\9d\c1\0f\cc\a1\0c\24\6f\2c\e9\2d\aa\84\74\4a\dc\a9\b0\5c\da\88\f9\76"
    "\52\51\3e\98\6d\c6\31\a8\c8\27\03\b0\c7\7f\59\bf\f3\0b\e0\c6\47\91\a7\d5\51\63\ca\06\67\29\29\14"
    "\85\0a\b7\27\38\21\1b\2e\fc\6d\2c\4d\13\0d\38\53\54\73\0a\65\bb\0a\6a\76\2e\c9\c2\81\85\2c\72\92"
    "\a1\e8\bf\a2\4b\66\1a\a8\70\8b\4b\c2\a3\51\6c\c7\19\e8\92\d1\24\06\99\d6\85\35\0e\f4\70\a0\6a\10"
    "\16\c1\a4\19\08\6c\37\1e\4c\77\48\27\b5\bc\b0\34\b3\0c\1c\39\4a\aa\d8\4e\4f\ca\9c\5b\f3\6f\2e\68"
    "\ee\82\8f\74\6f\63\a5\78\14\78\c8\84\08\02\c7\8c\fa\ff\be\90\eb\6c\50\a4\f7\a3\f9\be\f2\78\71\c6")
  (data (i32.const 256)
    "\67\e6\09\6a\85\ae\67\bb\72\f3\6e\3c\3a\f5\4f\a5\7f\52\0e\51\8c\68\05\9b\ab\d9\83\1f\19\cd\e0\5b")

  ;; The big-endian word at `at`.
  (func $word (param $at i32) (result i32)
    (local $x i32)
    (local.set $x (i32.load (local.get $at)))
    (local.set $x
      (i32.or
        (i32.and (i32.shr_u (local.get $x) (i32.const 8)) (i32.const 0x00ff00ff))
        (i32.shl (i32.and (local.get $x) (i32.const 0x00ff00ff)) (i32.const 8))))
    (i32.or (i32.shr_u (local.get $x) (i32.const 16)) (i32.shl (local.get $x) (i32.const 16))))

  ;; FIPS 180-4: digests the padded message from `at` to `end`.
  (func (export "sha256") (param $at i32) (param $end i32)
    (local $i i32) (local $w i32) (local $t i32)
    (local $a i32) (local $b i32) (local $c i32) (local $d i32)
    (local $e i32) (local $f i32) (local $g i32) (local $h i32)
    (memory.copy (i32.const 544) (i32.const 256) (i32.const 32))
    (loop $block
      (local.set $a (i32.load (i32.const 544))) (local.set $b (i32.load (i32.const 548)))
      (local.set $c (i32.load (i32.const 552))) (local.set $d (i32.load (i32.const 556)))
      (local.set $e (i32.load (i32.const 560))) (local.set $f (i32.load (i32.const 564)))
      (local.set $g (i32.load (i32.const 568))) (local.set $h (i32.load (i32.const 572)))
      (local.set $i (i32.const 0))
      (loop $round
        (if (i32.lt_u (local.get $i) (i32.const 64))
          (then (local.set $w (call $word (i32.add (local.get $at) (local.get $i)))))
          (else
            (local.set $w (i32.load offset=228 (local.get $i))) ;; w[i-15]
            (local.set $t (i32.load offset=280 (local.get $i))) ;; w[i-2]
            (local.set $w
              (i32.add
                (i32.add
                  (i32.xor (i32.xor (i32.or (i32.shr_u (local.get $w) (i32.const 7)) (i32.shl (local.get $w) (i32.const 25))) (i32.or (i32.shr_u (local.get $w) (i32.const 18)) (i32.shl (local.get $w) (i32.const 14))))
                    (i32.shr_u (local.get $w) (i32.const 3)))
                  (i32.load offset=260 (local.get $i))) ;; w[i-7]
                (i32.add
                  (i32.xor (i32.xor (i32.or (i32.shr_u (local.get $t) (i32.const 17)) (i32.shl (local.get $t) (i32.const 15))) (i32.or (i32.shr_u (local.get $t) (i32.const 19)) (i32.shl (local.get $t) (i32.const 13))))
                    (i32.shr_u (local.get $t) (i32.const 10)))
                  (i32.load offset=224 (local.get $i))))))) ;; w[i-16]
        (i32.store offset=288 (local.get $i) (local.get $w))
        (local.set $t
          (i32.add
            (i32.add
              (i32.add (local.get $h)
                (i32.xor (i32.xor (i32.or (i32.shr_u (local.get $e) (i32.const 6)) (i32.shl (local.get $e) (i32.const 26))) (i32.or (i32.shr_u (local.get $e) (i32.const 11)) (i32.shl (local.get $e) (i32.const 21))))
                  (i32.or (i32.shr_u (local.get $e) (i32.const 25)) (i32.shl (local.get $e) (i32.const 7)))))
              (i32.xor (local.get $g) (i32.and (local.get $e) (i32.xor (local.get $f) (local.get $g)))))
            (i32.add (local.get $w) (i32.load (local.get $i)))))
        (local.set $h (local.get $g))
        (local.set $g (local.get $f))
        (local.set $f (local.get $e))
        (local.set $e (i32.add (local.get $d) (local.get $t)))
        (local.set $d (local.get $c))
        (local.set $t
          (i32.add (local.get $t)
            (i32.add
              (i32.xor (i32.xor (i32.or (i32.shr_u (local.get $a) (i32.const 2)) (i32.shl (local.get $a) (i32.const 30))) (i32.or (i32.shr_u (local.get $a) (i32.const 13)) (i32.shl (local.get $a) (i32.const 19))))
                (i32.or (i32.shr_u (local.get $a) (i32.const 22)) (i32.shl (local.get $a) (i32.const 10))))
              (i32.or (i32.and (local.get $a) (local.get $b))
                (i32.and (local.get $c) (i32.or (local.get $a) (local.get $b)))))))
        (local.set $c (local.get $b))
        (local.set $b (local.get $a))
        (local.set $a (local.get $t))
        (br_if $round (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 256))))
      (i32.store (i32.const 544) (i32.add (i32.load (i32.const 544)) (local.get $a)))
      (i32.store (i32.const 548) (i32.add (i32.load (i32.const 548)) (local.get $b)))
      (i32.store (i32.const 552) (i32.add (i32.load (i32.const 552)) (local.get $c)))
      (i32.store (i32.const 556) (i32.add (i32.load (i32.const 556)) (local.get $d)))
      (i32.store (i32.const 560) (i32.add (i32.load (i32.const 560)) (local.get $e)))
      (i32.store (i32.const 564) (i32.add (i32.load (i32.const 564)) (local.get $f)))
      (i32.store (i32.const 568) (i32.add (i32.load (i32.const 568)) (local.get $g)))
      (i32.store (i32.const 572) (i32.add (i32.load (i32.const 572)) (local.get $h)))
      (br_if $block (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end))))
    (local.set $i (i32.const 0))
    (loop $out
      (i32.store offset=576 (local.get $i) (call $word (i32.add (local.get $i) (i32.const 544))))
      (br_if $out (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 4))) (i32.const 32)))))

  ;; One round of XXH64 on one of its four lanes. Where all four go on it is written out: neither of V8's compilers does that.
  (func $lane (param $acc i64) (param $in i64) (result i64)
    (local.set $acc (i64.add (local.get $acc) (i64.mul (local.get $in) (i64.const 0xC2B2AE3D27D4EB4F))))
    (i64.mul
      (i64.or (i64.shl (local.get $acc) (i64.const 31)) (i64.shr_u (local.get $acc) (i64.const 33)))
      (i64.const 0x9E3779B185EBCA87)))

  ;; Mixes a lane into the sum of all four.
  (func $merge (param $h i64) (param $lane i64) (result i64)
    (i64.add
      (i64.mul
        (i64.xor (local.get $h) (call $lane (i64.const 0) (local.get $lane)))
        (i64.const 0x9E3779B185EBCA87))
      (i64.const 0x85EBCA77C2B2AE63)))

  ;; The `bytes` bytes at `at`.
  (func $xxh64 (export "xxh64") (param $at i32) (param $bytes i32) (param $seed i64) (result i64)
    (local $end i32) (local $h i64)
    (local $v1 i64) (local $v2 i64) (local $v3 i64) (local $v4 i64)
    (local.set $end (i32.add (local.get $at) (local.get $bytes)))
    (if (i32.ge_u (local.get $bytes) (i32.const 32))
      (then
        (local.set $v1
          (i64.add
            (i64.add (local.get $seed) (i64.const 0x9E3779B185EBCA87))
            (i64.const 0xC2B2AE3D27D4EB4F)))
        (local.set $v2 (i64.add (local.get $seed) (i64.const 0xC2B2AE3D27D4EB4F)))
        (local.set $v3 (local.get $seed))
        (local.set $v4 (i64.sub (local.get $seed) (i64.const 0x9E3779B185EBCA87)))
        (loop $stripe
          (local.set $v1 (i64.add (local.get $v1) (i64.mul (i64.load (local.get $at)) (i64.const 0xC2B2AE3D27D4EB4F))))
          (local.set $v1
            (i64.mul
              (i64.or (i64.shl (local.get $v1) (i64.const 31)) (i64.shr_u (local.get $v1) (i64.const 33)))
              (i64.const 0x9E3779B185EBCA87)))
          (local.set $v2 (i64.add (local.get $v2) (i64.mul (i64.load offset=8 (local.get $at)) (i64.const 0xC2B2AE3D27D4EB4F))))
          (local.set $v2
            (i64.mul
              (i64.or (i64.shl (local.get $v2) (i64.const 31)) (i64.shr_u (local.get $v2) (i64.const 33)))
              (i64.const 0x9E3779B185EBCA87)))
          (local.set $v3 (i64.add (local.get $v3) (i64.mul (i64.load offset=16 (local.get $at)) (i64.const 0xC2B2AE3D27D4EB4F))))
          (local.set $v3
            (i64.mul
              (i64.or (i64.shl (local.get $v3) (i64.const 31)) (i64.shr_u (local.get $v3) (i64.const 33)))
              (i64.const 0x9E3779B185EBCA87)))
          (local.set $v4 (i64.add (local.get $v4) (i64.mul (i64.load offset=24 (local.get $at)) (i64.const 0xC2B2AE3D27D4EB4F))))
          (local.set $v4
            (i64.mul
              (i64.or (i64.shl (local.get $v4) (i64.const 31)) (i64.shr_u (local.get $v4) (i64.const 33)))
              (i64.const 0x9E3779B185EBCA87)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $stripe (i32.le_u (i32.add (local.get $at) (i32.const 32)) (local.get $end))))
        (local.set $h
          (i64.add
            (i64.add (i64.rotl (local.get $v1) (i64.const 1)) (i64.rotl (local.get $v2) (i64.const 7)))
            (i64.add (i64.rotl (local.get $v3) (i64.const 12)) (i64.rotl (local.get $v4) (i64.const 18)))))
        (local.set $h (call $merge (local.get $h) (local.get $v1)))
        (local.set $h (call $merge (local.get $h) (local.get $v2)))
        (local.set $h (call $merge (local.get $h) (local.get $v3)))
        (local.set $h (call $merge (local.get $h) (local.get $v4))))
      (else (local.set $h (i64.add (local.get $seed) (i64.const 0x27D4EB2F165667C5)))))
    (local.set $h (i64.add (local.get $h) (i64.extend_i32_u (local.get $bytes))))
    (block $no8
      (loop $eight
        (br_if $no8 (i32.gt_u (i32.add (local.get $at) (i32.const 8)) (local.get $end)))
        (local.set $h
          (i64.add
            (i64.mul
              (i64.rotl (i64.xor (local.get $h) (call $lane (i64.const 0) (i64.load (local.get $at)))) (i64.const 27))
              (i64.const 0x9E3779B185EBCA87))
            (i64.const 0x85EBCA77C2B2AE63)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $eight)))
    (if (i32.le_u (i32.add (local.get $at) (i32.const 4)) (local.get $end))
      (then
        (local.set $h
          (i64.add
            (i64.mul
              (i64.rotl
                (i64.xor (local.get $h) (i64.mul (i64.load32_u (local.get $at)) (i64.const 0x9E3779B185EBCA87)))
                (i64.const 23))
              (i64.const 0xC2B2AE3D27D4EB4F))
            (i64.const 0x165667B19E3779F9)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))))
    (block $no1
      (loop $one
        (br_if $no1 (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $h
          (i64.mul
            (i64.rotl
              (i64.xor (local.get $h) (i64.mul (i64.load8_u (local.get $at)) (i64.const 0x27D4EB2F165667C5)))
              (i64.const 11))
            (i64.const 0x9E3779B185EBCA87)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $one)))
    (local.set $h
      (i64.mul
        (i64.xor (local.get $h) (i64.shr_u (local.get $h) (i64.const 33)))
        (i64.const 0xC2B2AE3D27D4EB4F)))
    (local.set $h
      (i64.mul
        (i64.xor (local.get $h) (i64.shr_u (local.get $h) (i64.const 29)))
        (i64.const 0x165667B19E3779F9)))
    (i64.xor (local.get $h) (i64.shr_u (local.get $h) (i64.const 32))))

  ;; Whether the XXH64 of the `bytes` bytes at `at`, its seed the salt with a place of two words in it, is the sum that stands at `sum`.
  ;; Where numbers of 64 bits go between here and JavaScript, each is made on its heap.
  (func (export "holds")
    (param $at i32) (param $bytes i32) (param $salt i64) (param $low i32) (param $high i32) (param $sum i32) (result i32)
    (i64.eq
      (i64.load (local.get $sum))
      (call $xxh64
        (local.get $at)
        (local.get $bytes)
        (i64.xor
          (local.get $salt)
          (i64.or
            (i64.extend_i32_u (local.get $low))
            (i64.shl (i64.extend_i32_u (local.get $high)) (i64.const 32))))))))
